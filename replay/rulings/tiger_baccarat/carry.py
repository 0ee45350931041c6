"""What a round leaves for the next one, and how the next one finds it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from replay.rounds import Round
from replay.rulebooks.terms import BadTerms, Terms
from replay.ruled import Memory
from replay.witnesses import CODES
from schemas import events as e

# TB:7.8. Cards drawn in error open the Free Hand: first to Player, second to Banker, and so on.
TURNS = ("player", "banker")

Lying = tuple[tuple[str, str | None], ...]


class CarriedState(NamedTuple):
    """What the rounds before left behind."""

    below_min_used: tuple[str, ...] = ()  # players whose one time is used up (7.17)
    below_min_before: tuple[str, ...] = ()  # those of them who used it up with an earlier shoe
    free_hand: tuple[str | None, ...] | None = None  # the opening cards of the Free Hand due
    lying: Lying = ()  # hand and card of those that are out of the shoe already
    shoe: str = ""  # the shoe the round before was dealt from
    last_hand_announced: bool = False  # only the Free Hand due may still be dealt (7.8.1)
    last_hand_dealt: bool = False  # the shoe's last hand is over (7.8.1)
    shoe_change_due: str = ""  # the shoe that must be replaced (7.10.2)
    play_out: str = ""  # the shoe that must be played to its end (7.11.3)
    burn_noted: str = ""  # the shoe whose missing burn was remarked on already

    def used(self, terms: Terms) -> frozenset[str]:
        """The players whose one time is over, by how long it is read to last (7.17)."""
        by_shoe = terms.readings["below_minimum_scope"] == "shoe"
        return frozenset(self.below_min_used) - frozenset(self.below_min_before if by_shoe else ())

    @property
    def memory(self) -> Memory:
        """The same as plain JSON values; what does not stand is left out."""
        always: dict[str, Any] = {
            "below_min_used": list(self.below_min_used),
            "free_hand": None if self.free_hand is None else list(self.free_hand),
        }
        if self.below_min_before:
            always["below_min_before"] = list(self.below_min_before)
        if self.lying or self.free_hand:
            always["lying"] = [list(place) for place in self.lying]
        rest = self._asdict()
        hand = ("last_hand_announced", "last_hand_dealt")
        names = ("shoe", *hand, "shoe_change_due", "play_out", "burn_noted")
        return always | {name: rest[name] for name in names if rest[name]}


def left(memory: Memory, round: Round) -> CarriedState:
    """What still stands of the memory when the round begins."""
    free = _cards(memory.get("free_hand"))
    known = CarriedState(
        below_min_used=_players(memory.get("below_min_used", ())),
        below_min_before=_players(memory.get("below_min_before", ())),
        free_hand=free,
        lying=_lying(memory["lying"]) if "lying" in memory else laid(free or ()),
        shoe=str(memory.get("shoe", "")),
        last_hand_announced=bool(memory.get("last_hand_announced")),
        last_hand_dealt=bool(memory.get("last_hand_dealt")),
        shoe_change_due=str(memory.get("shoe_change_due", "")),
        play_out=str(memory.get("play_out", "")),
        burn_noted=str(memory.get("burn_noted", "")),
    )
    if not known.shoe or round.shoe is None:
        return known
    if round.shoe.shoe_id == known.shoe and not _loaded(round):
        return known
    # The old shoe's cards are gone, and with them everything that hung on it.
    gone = known._replace(
        free_hand=None, lying=(), last_hand_announced=False, last_hand_dealt=False
    )
    return gone._replace(below_min_before=known.below_min_used)


def _loaded(round: Round) -> bool:
    """Whether cards were loaded since the round before; a box may come back with new ones."""
    return any(isinstance(event.payload, e.ShoeLoaded) for event in round.before)


def laid(cards: Sequence[str | None]) -> Lying:
    """Cards drawn in error on the hands they open (7.8)."""
    return tuple((TURNS[n % 2], card) for n, card in enumerate(cards))


def _players(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise BadTerms(f"carry.below_min_used: a list of players expected, {value!r} found")
    return tuple(value)


def _cards(value: Any) -> tuple[str | None, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or not all(map(_is_card, value)):
        raise BadTerms(f"carry.free_hand: null or a list of cards expected, {value!r} found")
    return tuple(value)


def _lying(value: Any) -> Lying:
    if not isinstance(value, list | tuple) or not all(map(_is_place, value)):
        raise BadTerms(f'carry.lying: pairs such as ["player", "3D"] expected, {value!r} found')
    return tuple((hand, card) for hand, card in value)


def _is_place(value: Any) -> bool:
    shaped = isinstance(value, list | tuple) and len(value) == 2
    return shaped and value[0] in TURNS and _is_card(value[1])


def _is_card(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value in CODES)
