"""Which kinds of device may report each payload.

A chip sensor sees no cards, a camera makes no ruling. Every door refuses a reading that its kind of
device cannot know, whatever key it came with. An old log may hold such events; the replay keeps
them, and check INT-14 reports each of them.
"""

from collections.abc import Mapping
from typing import Any, get_args

from schemas import events as e
from schemas.shape import Refused

PEOPLE = ("console", "pit")  # dealer and inspectors enter it at the console, the pit at its own
DEVICES = ("shoe", "shuffler", "wheel", "shaker", "chips", "camera")
GATEWAY = ("gateway",)
CARDS = ("shoe", *PEOPLE)  # the shoe sees it, or a person enters it for a shoe without sensor
SPIN = ("wheel", *PEOPLE)
SHAKE = ("shaker", *PEOPLE)

SPEAKERS: Mapping[type[Any], tuple[str, ...]] = {
    e.TableOpened: PEOPLE,
    e.TableClosed: PEOPLE,
    e.TermsPosted: PEOPLE,
    e.StaffCameOn: PEOPLE,
    e.StaffWentOff: PEOPLE,
    e.ShoeLoaded: CARDS,
    e.ShoeRemoved: CARDS,
    e.ShoeExhausted: CARDS,
    e.CardsBurned: CARDS,
    e.CutCardReached: CARDS,
    e.LastHandAnnounced: PEOPLE,
    e.CardsShuffled: ("shoe", "shuffler", *PEOPLE),
    e.DeviceJammed: (*DEVICES, *PEOPLE),
    e.DeviceBeat: (*DEVICES, *PEOPLE),
    e.DeviceMoved: (*DEVICES, *PEOPLE),
    e.CameraDisturbed: ("camera",),
    e.RoundOpened: PEOPLE,
    e.BettingOpened: PEOPLE,
    e.BettingClosed: PEOPLE,
    e.WagerPlaced: PEOPLE,
    e.WagerChanged: PEOPLE,
    e.WagerWithdrawn: PEOPLE,
    e.SeatTaken: PEOPLE,
    e.SeatLeft: PEOPLE,
    e.StakeRead: ("chips",),
    e.CardDrawn: ("shoe",),
    e.CardPlaced: PEOPLE,
    e.CardExposed: CARDS,
    e.CardHandled: PEOPLE,
    e.DecisionMade: PEOPLE,
    e.BallReleased: ("wheel",),
    e.BallTracked: ("wheel",),
    e.BallLanded: ("wheel",),
    e.SpinDisturbed: SPIN,
    e.BallExamined: PEOPLE,
    e.BallReturned: SPIN,
    e.DollyPlaced: PEOPLE,
    e.NoSpinCalled: PEOPLE,
    e.ShakerStarted: ("shaker",),
    e.ShakerStopped: ("shaker",),
    e.ShakerOpened: ("shaker",),
    e.BowlRemoved: SHAKE,
    e.EquipmentDropped: SHAKE,
    e.TokensRevealed: ("shaker",),
    e.TokensRearranged: PEOPLE,
    e.CardsObserved: ("camera",),
    e.DiceObserved: ("camera",),
    e.TokensObserved: ("camera",),
    e.ResultCalled: ("shoe", "wheel", "shaker", *PEOPLE),  # a device shows it on its board
    e.WagerSettled: PEOPLE,
    e.TrayCounted: ("chips", *PEOPLE),
    e.ColourChipsIssued: PEOPLE,
    e.IrregularityReported: PEOPLE,
    e.RulingMade: PEOPLE,
    e.RoundVoided: PEOPLE,
    e.ReshakeOrdered: PEOPLE,
    e.FreeHandDeclared: PEOPLE,
    e.RoundClosed: PEOPLE,
    e.CorrectionMade: PEOPLE,
    e.GapFound: GATEWAY,
    e.TwinConflicted: GATEWAY,
    e.LateArrived: GATEWAY,
    e.ClockStepped: GATEWAY,
}
PAYLOADS = get_args(e.Payload)


def may_say(kind: str, payload: e.Payload) -> bool:
    """Whether a kind of device may report a payload."""
    return kind in SPEAKERS[type(payload)]


def must_be_its_own(reading: e.Reading) -> e.Reading:
    """Return the reading; raise Refused where its kind of device cannot know it."""
    if not may_say(reading.device_kind, reading.payload):
        wanted = ", ".join(SPEAKERS[type(reading.payload)])
        where = f"{type(reading.payload).__name__}.device_kind"
        raise Refused("not_allowed", where, f"one of {wanted}", repr(reading.device_kind)[:60])
    return reading
