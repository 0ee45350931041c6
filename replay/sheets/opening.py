"""Where a round begins in a sheet, and what may stand before that: a sheet is one round."""

from collections.abc import Sequence

from schemas import events as e
from schemas.shape import Refused

# What stands before a round: where no opening is told the round opens after such events.
BEFORE = (
    e.ShoeLoaded, e.CardsBurned, e.CardsShuffled, e.StaffCameOn, e.ColourChipsIssued, e.SeatTaken,
)  # fmt: skip

# What else may come between two rounds: table, shoe and devices, and cards out of their time.
BETWEEN = (
    *BEFORE,
    e.TableOpened, e.StaffWentOff, e.SeatLeft, e.TrayCounted,
    e.ShoeRemoved, e.ShoeExhausted, e.CutCardReached, e.LastHandAnnounced,
    e.CardDrawn, e.CardExposed, e.FreeHandDeclared,
    e.DeviceJammed, e.DeviceBeat, e.DeviceMoved, e.CameraDisturbed,
    e.GapFound, e.TwinConflicted, e.LateArrived, e.ClockStepped,
)  # fmt: skip


def opened(said: Sequence[e.Payload]) -> list[e.Payload]:
    """The events with the opening of their one round; what else they would open is refused."""
    openings = [n for n, payload in enumerate(said) if isinstance(payload, e.RoundOpened)]
    for n, payload in enumerate(said):
        if isinstance(payload, e.TermsPosted):
            raise _refused(n, "the terms in sheet.terms, which hold for the round", payload)
    for n in openings[1:]:
        wanted = "one RoundOpened, as a sheet is one round; the next round is a sheet of its own"
        raise _refused(n, wanted, said[n])
    if openings:
        _look_ahead(said[: openings[0]])
        return list(said)
    ahead = next((n for n, p in enumerate(said) if not isinstance(p, BEFORE)), len(said))
    return [*said[:ahead], e.RoundOpened(), *said[ahead:]]


def _look_ahead(ahead: Sequence[e.Payload]) -> None:
    """Refuse what belongs into a round and stands before its opening, where nothing reads it."""
    for n, payload in enumerate(ahead):
        # RO:4.7.4. Colour chips may be handed back between two rounds.
        handed_back = isinstance(payload, e.RulingMade) and payload.decision == "redeemed"
        if not (isinstance(payload, BETWEEN) or handed_back):
            wanted = f"RoundOpened before it, which stands at events[{len(ahead)}]"
            raise _refused(n, wanted, payload)


def _refused(n: int, wanted: str, payload: e.Payload) -> Refused:
    return Refused("bad_value", f"sheet.events[{n}].type", wanted, type(payload).__name__)
