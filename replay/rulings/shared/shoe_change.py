"""A shoe that is loaded in the middle of a round, so that its cards come from two shoes."""

from collections.abc import Iterator

from replay.rounds import Round
from schemas import events as e

DEALT = (e.CardDrawn, e.CardPlaced)
BEGUN = (*DEALT, e.WagerPlaced, e.BettingClosed)  # from then on the players bet on one shoe


def in_play(
    round: Round, begun_by: tuple[type[e.Payload], ...] = BEGUN
) -> Iterator[tuple[str, e.ShoeLoaded]]:
    """Each loading between the beginning of a round and its last card, with its event's id.

    The first shoe of a table may come as late as before the first card, and the next one may be
    made ready once the last card lies there.
    """
    begins = begun_by if round.shoe else DEALT
    last = max((n for n, at in enumerate(round.events) if isinstance(at.payload, DEALT)), default=0)
    begun = False
    for event in round.events[:last]:
        begun = begun or isinstance(event.payload, begins)
        if begun and isinstance(event.payload, e.ShoeLoaded):
            yield event.event_id, event.payload
