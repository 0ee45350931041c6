"""One frozen class for each record of schemas/avsc.

The .avsc files are the contract; tests/schemas/test_events.py compares the classes with them.
Times are UTC microseconds and money is minor units of the table's currency.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limit:
    """The smallest and the largest stake that the limit sign allows on one bet."""

    bet: str
    minimum: int
    maximum: int


@dataclass(frozen=True, slots=True)
class Chips:
    """Colour chips, which are worth what their own table says."""

    table_id: str
    colour: str
    count: int
    value: int


@dataclass(frozen=True, slots=True)
class Guess:
    """One thing a camera may have seen, with its probability."""

    seen: str
    probability: float


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table was opened for a gaming day."""

    gaming_day: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """A table was closed."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class TermsPosted:
    """The terms of play were posted at the table and are in force from here on."""

    game: str
    currency: str
    edition: str = ""
    paytable: str = ""
    limits: tuple[Limit, ...] = ()
    differential: int | None = None
    decks: int = 0
    rounding: str = ""
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StaffCameOn:
    """A member of staff took up duty at the table."""

    person_id: str
    rank: str


@dataclass(frozen=True, slots=True)
class StaffWentOff:
    """A member of staff left the table."""

    person_id: str
    rank: str


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """Cards were put into the shoe or dealing device."""

    shoe_id: str
    decks: int
    shuffled: bool = True
    back_colour: str = ""


@dataclass(frozen=True, slots=True)
class ShoeRemoved:
    """The cards in the shoe were taken out of play."""

    shoe_id: str
    reason: str = ""
    cards_left: int | None = None


@dataclass(frozen=True, slots=True)
class ShoeExhausted:
    """The shoe ran empty while a card was wanted."""

    shoe_id: str


@dataclass(frozen=True, slots=True)
class CardsBurned:
    """Cards were taken from the shoe and laid in the discards unseen."""

    count: int
    first_card: str | None = None


@dataclass(frozen=True, slots=True)
class CutCardReached:
    """The cut card came out of the shoe."""

    shoe_id: str


@dataclass(frozen=True, slots=True)
class LastHandAnnounced:
    """The dealer announced the last hand of the shoe."""

    shoe_id: str


@dataclass(frozen=True, slots=True)
class CardsShuffled:
    """A deck or shoe was shuffled."""

    deck_id: str
    method: str = ""


@dataclass(frozen=True, slots=True)
class DeviceJammed:
    """A device stopped with a fault."""

    code: str


@dataclass(frozen=True, slots=True)
class DeviceBeat:
    """A device reported that it is alive."""

    interval_s: int
    offset_ms: int = 0
    state: str = "ok"


@dataclass(frozen=True, slots=True)
class DeviceMoved:
    """A device was put on this table, or taken to another."""

    moved_id: str
    to_table: str


@dataclass(frozen=True, slots=True)
class CameraDisturbed:
    """A camera's view moved or was covered."""

    kind: str
    visible_share: float = 1.0


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round was opened."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class BettingOpened:
    """The dealer called for bets."""

    countdown_s: int = 0


@dataclass(frozen=True, slots=True)
class BettingClosed:
    """The dealer announced no more bets."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """A player's chips were put on a bet."""

    wager_id: str
    player_id: str
    bet: str
    stake: int
    box: str = ""
    chips: Chips | None = None
    called: bool = False
    chips_presented: bool = True
    placed_in_time: bool = True
    stack: int = 0
    reserve: int = 0


@dataclass(frozen=True, slots=True)
class WagerChanged:
    """A wager's place or amount was changed."""

    wager_id: str
    bet: str | None = None
    stake: int | None = None
    reserve: int | None = None


@dataclass(frozen=True, slots=True)
class WagerWithdrawn:
    """A player took a wager back."""

    wager_id: str
    clause: str = ""
    leave_rank: str = ""
    leave_by: str = ""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player took a seat."""

    player_id: str
    box: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left a seat."""

    player_id: str
    box: str


@dataclass(frozen=True, slots=True)
class StakeRead:
    """A sensor read the amount that lies on a wager's place."""

    wager_id: str
    amount: int
    change: int = 0


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card left the shoe and was put on a hand."""

    position: int
    hand: str
    card: str | None = None
    exposed: bool = True


@dataclass(frozen=True, slots=True)
class CardPlaced:
    """The dealer's console recorded which card lies on a hand."""

    hand: str
    slot: int
    card: str | None = None


@dataclass(frozen=True, slots=True)
class CardExposed:
    """A card was seen that should not have been, or lay face up in the shoe."""

    place: str
    card: str | None = None
    hand: str = ""


@dataclass(frozen=True, slots=True)
class CardHandled:
    """A player touched or was given cards."""

    hand: str
    player_id: str
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A player decided how to play a hand."""

    player_id: str
    decision: str
    box: str = ""
    hand: str = ""
    amount: int | None = None
    response_ms: int | None = None


@dataclass(frozen=True, slots=True)
class BallReleased:
    """The ball was spun."""

    ball_direction: str
    wheel_direction: str
    from_pocket: int | None = None


@dataclass(frozen=True, slots=True)
class BallTracked:
    """The wheel sensor counted the ball's revolutions."""

    revolutions: int


@dataclass(frozen=True, slots=True)
class BallLanded:
    """The ball came to rest in a pocket."""

    pocket: int | None = None


@dataclass(frozen=True, slots=True)
class SpinDisturbed:
    """Something disturbed the spin."""

    kind: str


@dataclass(frozen=True, slots=True)
class BallExamined:
    """The ball was examined after it left the wheel."""

    rank: str
    person_id: str = ""


@dataclass(frozen=True, slots=True)
class BallReturned:
    """The ball was put back into a pocket before a re-spin."""

    pocket: int | None = None


@dataclass(frozen=True, slots=True)
class DollyPlaced:
    """The dealer marked the winning number."""

    number: int


@dataclass(frozen=True, slots=True)
class NoSpinCalled:
    """Somebody announced no spin."""

    rank: str
    reason: str
    phase: str
    person_id: str = ""


@dataclass(frozen=True, slots=True)
class ShakerStarted:
    """The shaker started."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class ShakerStopped:
    """The shaker came to rest."""

    tumbles: int


@dataclass(frozen=True, slots=True)
class ShakerOpened:
    """The shaker's sensor read the dice."""

    faces: tuple[str, ...]
    flat: bool = True
    overlap: bool = False


@dataclass(frozen=True, slots=True)
class BowlRemoved:
    """The bowl was lifted off the plate."""

    touched_token: bool = False


@dataclass(frozen=True, slots=True)
class EquipmentDropped:
    """A part of the equipment was dropped."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokensRevealed:
    """The tokens on the plate were read."""

    faces: tuple[str, ...]
    standing: int = 0
    overlapping: bool = False


@dataclass(frozen=True, slots=True)
class TokensRearranged:
    """The dealer moved overlapping tokens apart with the stick."""

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardsObserved:
    """A camera saw a card on the table."""

    zone: str
    slot: int
    guesses: tuple[Guess, ...]
    frame: int = 0
    frame_hash: str = ""


@dataclass(frozen=True, slots=True)
class DiceObserved:
    """A camera saw the dice."""

    guesses: tuple[Guess, ...]
    flat: bool = True
    overlap: bool = False
    frame: int = 0
    frame_hash: str = ""


@dataclass(frozen=True, slots=True)
class TokensObserved:
    """A camera saw the tokens."""

    guesses: tuple[Guess, ...]
    frame: int = 0
    frame_hash: str = ""


@dataclass(frozen=True, slots=True)
class ResultCalled:
    """A result was called, entered or shown."""

    result: str
    shown_by: str = "dealer"
    box: str = ""


@dataclass(frozen=True, slots=True)
class WagerSettled:
    """A wager was paid, collected or given back."""

    wager_id: str
    paid: int
    commission: int = 0
    collected: int = 0
    reserve_taken: int = 0
    returned: int = 0


@dataclass(frozen=True, slots=True)
class TrayCounted:
    """The chip tray was counted."""

    amount: int


@dataclass(frozen=True, slots=True)
class ColourChipsIssued:
    """A set of colour chips was issued to a player."""

    player_id: str
    colour: str
    value: int
    marker: bool = False
    leave_rank: str = ""
    value_leave_rank: str = ""


@dataclass(frozen=True, slots=True)
class IrregularityReported:
    """Somebody reported an irregularity."""

    kind: str
    clause: str = ""
    subject: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RulingMade:
    """A person decided what happens."""

    clause: str
    decision: str
    rank: str
    person_id: str = ""
    subject: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """A round was declared void."""

    clause: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReshakeOrdered:
    """The dealer announced a re-shake."""

    reason: str


@dataclass(frozen=True, slots=True)
class FreeHandDeclared:
    """The next hand was declared a free hand."""

    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """A round was closed at the table."""

    status: str = "settled"


@dataclass(frozen=True, slots=True)
class CorrectionMade:
    """A person corrected the record with a new entry."""

    event_id: str
    author: str
    rank: str
    reason: str
    claimed_at: int | None = None


@dataclass(frozen=True, slots=True)
class GapFound:
    """The gateway missed readings of a device."""

    gap_device: str
    expected: int
    found: int


@dataclass(frozen=True, slots=True)
class TwinConflicted:
    """Two different readings came under one event id."""

    twin_of: str
    kept: bytes


@dataclass(frozen=True, slots=True)
class LateArrived:
    """A reading came after later ones of its device."""

    late_id: str
    behind: int


@dataclass(frozen=True, slots=True)
class ClockStepped:
    """A device's clock ran backwards."""

    clock_device: str
    step_ms: int


Payload = (
    TableOpened
    | TableClosed
    | TermsPosted
    | StaffCameOn
    | StaffWentOff
    | ShoeLoaded
    | ShoeRemoved
    | ShoeExhausted
    | CardsBurned
    | CutCardReached
    | LastHandAnnounced
    | CardsShuffled
    | DeviceJammed
    | DeviceBeat
    | DeviceMoved
    | CameraDisturbed
    | RoundOpened
    | BettingOpened
    | BettingClosed
    | WagerPlaced
    | WagerChanged
    | WagerWithdrawn
    | SeatTaken
    | SeatLeft
    | StakeRead
    | CardDrawn
    | CardPlaced
    | CardExposed
    | CardHandled
    | DecisionMade
    | BallReleased
    | BallTracked
    | BallLanded
    | SpinDisturbed
    | BallExamined
    | BallReturned
    | DollyPlaced
    | NoSpinCalled
    | ShakerStarted
    | ShakerStopped
    | ShakerOpened
    | BowlRemoved
    | EquipmentDropped
    | TokensRevealed
    | TokensRearranged
    | CardsObserved
    | DiceObserved
    | TokensObserved
    | ResultCalled
    | WagerSettled
    | TrayCounted
    | ColourChipsIssued
    | IrregularityReported
    | RulingMade
    | RoundVoided
    | ReshakeOrdered
    | FreeHandDeclared
    | RoundClosed
    | CorrectionMade
    | GapFound
    | TwinConflicted
    | LateArrived
    | ClockStepped
)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at a table, as it stands in the log."""

    event_id: str
    table_id: str
    seq: int
    device_kind: str
    device_id: str
    device_seq: int
    occurred_at: int
    err_ms: int
    ingested_at: int
    schema: str
    prev_hash: bytes
    payload: Payload
    round_id: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a device hands to the gateway."""

    table_id: str
    device_kind: str
    device_id: str
    device_seq: int
    occurred_at: int
    payload: Payload
    err_ms: int = 0
    round_id: str | None = None
    received_at: int | None = None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """Something that came in and could not be read, kept with the reason."""

    reason: str
    where: str
    expected: str
    found: str
    source: str
    position: int
    received_at: int
    size: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of the live checks, raised or withdrawn."""

    finding_id: str
    version: int
    state: str
    check_id: str
    severity: str
    title: str
    table_id: str
    day_seq: int
    subject: str
    certain: bool
    expected: str
    found: str
    clauses: tuple[str, ...]
    evidence: tuple[str, ...]
    house_minor: int
    player_minor: int
    appended_at: int
    gaming_day: str | None = None
    round_id: str | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class DerivedRound:
    """One version of a round as the rules judge it, published when it settled."""

    table_id: str
    gaming_day: str
    day_seq: int
    round_id: str
    version: int
    upto: int
    status: str
    outcome: str
    digest: str
    rows: str


@dataclass(frozen=True, slots=True)
class FindingTold:
    """A finding that a run of the checks raised or withdrew, as it stands in the log."""

    finding_id: str
    version: int
    state: str
    run_id: str
    prev_hash: bytes
    check_id: str
    severity: str
    title: str
    table_id: str
    subject: str
    certain: bool
    expected: str
    found: str
    clauses: tuple[str, ...]
    evidence: tuple[str, ...]
    house_minor: int
    player_minor: int
    gaming_day: str | None = None
    round_id: str | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class FindingReviewed:
    """Somebody acted on a finding: took note of it, judged it, or closed it."""

    finding_id: str
    table_id: str
    number: int
    prev_hash: bytes
    person_id: str
    rank: str
    recorded_at: int
    verb: str
    reason: str = ""
    assignee_id: str = ""


@dataclass(frozen=True, slots=True)
class CasePayment:
    """Money that moves on one wager because a dispute was decided."""

    wager_id: str
    player_id: str
    amount: int


@dataclass(frozen=True, slots=True)
class DisputeRaised:
    """A player or the house disputed a round."""

    round_id: str
    claim: str
    jurisdiction: str
    gaming_day: str = ""
    game: str = ""
    currency: str = ""
    player_id: str = ""
    wagers: tuple[str, ...] = ()
    amount: int = 0
    finding_id: str = ""
    staff: Mapping[str, str] = field(default_factory=dict)
    rounds_near: tuple[str, ...] = ()
    round_opened_at: int = 0


@dataclass(frozen=True, slots=True)
class FirstAnswerGiven:
    """Staff at the table answered the claim."""

    answer: str
    accepted: bool
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DisputeEscalated:
    """The dispute was passed on to a pit manager or above."""

    to_person_id: str
    to_rank: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SurveillanceInformed:
    """Surveillance was informed of the dispute."""

    informed_person_id: str
    how: str
    rounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeframePromised:
    """The player was told by when the dispute will be settled."""

    promised_at: int
    language: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class StatementTaken:
    """One party's account of what happened was taken down."""

    party: str
    given_by: str
    signature: str
    text: str = ""
    language: str = ""
    interpreter_id: str = ""
    evidence_id: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceAdded:
    """A file was taken into evidence."""

    evidence_id: str
    basis: str
    name: str
    sha256: str
    size: int
    media_type: str
    source: str
    obtained_at: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One wager of a recomputed round under one option."""

    wager_id: str
    player_id: str
    bet: str
    outcome: str
    stake: int
    due_minor: int
    correction_minor: int
    seen_minor: int | None = None
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DisputeOption:
    """What a round in dispute owed under one reading, one ruling or one course of play."""

    option_id: str
    kind: str
    what: str
    hypothetical: bool
    status: str
    lines: tuple[OptionLine, ...]
    correction_minor: int
    issue: str = ""
    clause: str = ""
    changes: tuple[str, ...] = ()
    outcome: str = ""
    later_rounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Precedent:
    """An earlier ruling under the same clause on the same facts."""

    table_id: str
    round_id: str
    clause: str
    decision: str
    rank: str
    pattern: tuple[str, ...]
    same_pattern: bool
    player_minor: int
    unruled_minor: int
    gaming_day: str = ""


@dataclass(frozen=True, slots=True)
class SettlementRecomputed:
    """The disputed round was derived again under every open reading."""

    events: int
    events_sha256: str
    options: tuple[DisputeOption, ...]
    edition: str = ""
    precedents: tuple[Precedent, ...] = ()


@dataclass(frozen=True, slots=True)
class DisputeDecided:
    """An authorised person decided the dispute."""

    outcome: str
    facts: str
    clauses: tuple[str, ...]
    reasons: str
    option_id: str = ""
    payments: tuple[CasePayment, ...] = ()
    currency: str = ""
    dissent: str = ""
    provisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionConfirmed:
    """A second person confirmed the decision."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class CorrectionPaid:
    """The decision was settled by a correcting payment."""

    payments: tuple[CasePayment, ...]
    currency: str
    reference: str
    event_id: str = ""


@dataclass(frozen=True, slots=True)
class PlayerTold:
    """The player was told of the decision."""

    agrees: bool
    right_told: bool
    how: str
    language: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class PlayerAssisted:
    """The player was helped with a formal complaint, or declined to make one."""

    complaint_id: str = ""
    language: str = ""
    adr_reference: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class DecisionReviewed:
    """Senior Management reviewed the decision after a formal complaint."""

    stands: bool
    reasons: str
    reference: str = ""


@dataclass(frozen=True, slots=True)
class AuthorityNotified:
    """An authority was given a notice that a law asks for."""

    notice: str
    authority: str
    reference: str


@dataclass(frozen=True, slots=True)
class HoldPlaced:
    """Records of the case were put under a legal hold: nothing of them may be deleted."""

    hold_id: str
    classes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class HoldReleaseAsked:
    """Somebody asked to end a legal hold."""

    hold_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class HoldReleased:
    """A second person ended a legal hold."""

    hold_id: str


@dataclass(frozen=True, slots=True)
class CaseClosed:
    """The case was closed."""

    reason: str
    lesson: str = ""


CaseStep = (
    DisputeRaised
    | FirstAnswerGiven
    | DisputeEscalated
    | SurveillanceInformed
    | TimeframePromised
    | StatementTaken
    | EvidenceAdded
    | SettlementRecomputed
    | DisputeDecided
    | DecisionConfirmed
    | CorrectionPaid
    | PlayerTold
    | PlayerAssisted
    | DecisionReviewed
    | AuthorityNotified
    | HoldPlaced
    | HoldReleaseAsked
    | HoldReleased
    | CaseClosed
)


@dataclass(frozen=True, slots=True)
class CaseEvent:
    """One step of a dispute, as it stands in the log."""

    table_id: str
    case_id: str
    number: int
    prev_hash: bytes
    person_id: str
    rank: str
    done_at: int
    recorded_at: int
    step: CaseStep


@dataclass(frozen=True, slots=True)
class AccessRecorded:
    """Somebody asked to see evidence; written before it was shown."""

    number: int
    prev_hash: bytes
    recorded_at: int
    person_id: str
    user: str
    action: str
    command: str
    kind: str
    rank: str = ""
    subjects: tuple[str, ...] = ()
    question: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    answer_to: int | None = None
    rows: int | None = None
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class CheckpointSigned:
    """The house signed the heads of its trees, or a witness cosigned them."""

    note: str
    heads: tuple[str, ...]
    signed_at: int
