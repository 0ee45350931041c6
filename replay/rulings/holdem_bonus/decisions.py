"""What people reported and decided: 7.1, 7.5, 7.7, 7.9 and 7.13."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.games import holdem_bonus as game
from replay.rulings.holdem_bonus.record import (
    BEYOND_REPAIR,
    INVALIDATING,
    NOT_COVERED,
    VOIDED,
    HoldemRecord,
    ReportedIrregularity,
)
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import (
    Evidence,
    Ruling,
    Spoken,
    VoidCause,
    against_rules,
    contradicted,
    standing,
    unheard,
    unreported,
    within,
    without_cause,
)
from replay.sentence import say
from replay.witnesses import Sight
from schemas import events as e
from schemas.cards import DECK
from schemas.ranks import at_least

NEW_DECK = ("TH:7.1.1", "TH:7.1.3")  # TH:7.2
REFERRED_TO = "assistant_director"  # TH:7.13, or above


# What a ruling may say under the clauses that leave a choice; another word counts as not said.
SPOKEN: Spoken = {
    "TH:4.7.3": ("refuse", "restrict"),
    "TH:7.1": ("continue", "void"),
    "TH:7.3": ("reconstruct", BEYOND_REPAIR, "void"),
    "TH:7.4": ("reconstruct", BEYOND_REPAIR, "void"),
    "TH:7.5": ("continue", "void"),
    "TH:7.6": ("reconstruct", BEYOND_REPAIR, "void", "allow_withdrawal"),
    "TH:7.7": ("counted",),
    "TH:7.8": ("reconstruct", BEYOND_REPAIR, "void"),
    "TH:7.9": ("continue", "void"),
    "TH:7.13": ("continue", "void"),
}


class Invalidation(NamedTuple):
    """What was found on the way to the cards, and the clauses that void the round for it."""

    remarks: tuple[Remark, ...] = ()
    void: tuple[str, ...] = ()
    new_deck: bool = False


def invalidated(record: HoldemRecord) -> Invalidation:
    """TH:7.1 and 7.7: the House may void, and a count that is not 52 does."""
    causes = _causes(record)
    unsolved = [cause for cause in causes if not _goes_on(record, cause)]
    told = [cause.told for cause in causes]
    minimum = record.terms.readings["void_authority"]
    for cause in causes:
        low = _from_below(record, cause)
        missing = cause in unsolved and cause.declared and not _decided(record, cause)
        if low or missing:
            told.append(undecided(low, "TH:7.1", minimum, cause.told.evidence))
        told += contradicted(_decided(record, cause), minimum, "TH:7.1")
        if cause.since < 0:
            told += unreported(_decided(record, cause), minimum)
    told += _loose(record, causes)
    void = [cause.told.clause for cause in unsolved]
    told += _uncounted(record)
    wrong = list(_wrong_counts(record))
    if wrong and not _leaves_the_house_a_choice(record):
        told += wrong
        void.append("TH:7.7")
    due = any(clause in NEW_DECK for clause in void)
    if due:
        told.append(Remark("NEW_DECK_REQUIRED", "TH:7.2", say("TH.new_deck_required")))
    return Invalidation(tuple(told), tuple(dict.fromkeys(void)), due)


def exposed(record: HoldemRecord) -> Invalidation:
    """TH:7.5 and 7.9: two cards wrongly exposed void the round, one does not."""
    shown = [
        (event.event_id, event.payload)
        for event in record.round.events[: record.over]  # during the deal
        if isinstance(event.payload, e.CardExposed)
    ]
    reports = [report for report in record.reports if report.clause in ("TH:7.5", "TH:7.9")]
    evidence = (*(event_id for event_id, _ in shown), *(report.event_id for report in reports))
    if _cards_exposed(record, dict(shown), reports) >= 2:
        text = say("TH.cards_exposed")
        void = Remark("CARDS_EXPOSED", "TH:7.5", text, evidence)
        return Invalidation((void, *against_rules(record, "TH:7.5", "TH:7.9")), ("TH:7.5",))
    if not evidence:
        return Invalidation(tuple(_on_no_exposure(record)))
    in_device = any(card.place == "shoe" for _, card in shown)
    clause = "TH:7.9" if in_device or record.reported("TH:7.9") else "TH:7.5"
    one = Remark("ONE_CARD_EXPOSED", clause, say("TH.one_card_exposed"), evidence)
    return Invalidation((one, *_voided_for_one(record)))


def _cards_exposed(
    record: HoldemRecord,
    shown: Mapping[str, e.CardExposed],
    reports: Sequence[ReportedIrregularity],
) -> int:
    """How many cards were exposed, by what was seen and what was reported of it.

    Whoever names the same card, or the hand it was dealt to, tells of one card. A report that
    names neither tells of a card of its own, or of one that was seen (issue exposed_reports).
    """
    seen = {card.card or event_id for event_id, card in shown.items()}
    known = {name for card in shown.values() for name in (card.card, card.hand) if name}
    told = [report for report in reports if report.subject not in known]
    named = {remark.subject for remark in told if remark.subject}
    alone = sum(2 if report.kind == "cards_exposed" else 1 for report in told if not report.subject)
    several = 2 if any(report.kind == "cards_exposed" for report in reports) else 0
    if record.terms.readings["exposed_reports"] == "of_a_card_seen":
        return max(len(seen) + len(named), alone, several)
    return max(len(seen) + len(named) + alone, several)


def _voided_for_one(record: HoldemRecord) -> Iterator[Remark]:
    """Rulings to void a round in which one card was exposed, which goes on."""
    for event_id, made in _on_exposure(record):
        if made.decision == "void":
            text = say("TH.ruled_void_for_one", rank=made.rank)
            yield Remark("RULING_AGAINST_RULES", made.clause, text, (event_id,))


def _on_no_exposure(record: HoldemRecord) -> Iterator[Remark]:
    for event_id, made in _on_exposure(record):
        yield without_cause(event_id, made, say("TH.no_card_exposed"))


def _on_exposure(record: HoldemRecord) -> list[Ruling]:
    return [
        (event_id, made)
        for clause in ("TH:7.5", "TH:7.9")
        for event_id, made in record.rulings_under(clause)
        if made.decision in SPOKEN[clause]
    ]


def referred(record: HoldemRecord, *, raised: bool) -> Iterator[Remark]:
    """TH:7.13: what the rules do not cover, and whether the right person decided it.

    `raised` says that the cards have brought the case up already.
    """
    reported, decided = record.reported(NOT_COVERED), _on_the_case(record)
    if not reported and not record.rulings_under(NOT_COVERED) and not raised:
        return
    if not raised:
        yield Remark("REFER_7.13", NOT_COVERED, say("TH.not_covered"), reported)
    if not raised and not reported:
        for event_id, made in decided:
            yield without_cause(event_id, made, say("TH.nothing_uncovered"))
    word = case_word(record)
    low = _unsupported(decided, REFERRED_TO, word)
    if low or not word:
        yield undecided(low, NOT_COVERED, REFERRED_TO, reported)
    yield from contradicted(decided, REFERRED_TO, NOT_COVERED)


def case_word(record: HoldemRecord) -> str:
    """What was decided under 7.13, `continue` or `void`; empty where nobody who may did."""
    stands = standing(_on_the_case(record), REFERRED_TO)
    return stands.decision if stands else ""


def undecided(decided: list[Ruling], clause: str, minimum: str, evidence: Evidence) -> Remark:
    """That nobody of the right rank has decided: nobody at all, or somebody lower."""
    if decided:
        event_id, made = decided[0]
        text = say("TH.decided_below_rank", rank=made.rank, needed=minimum)
        return Remark("DECISION_NOT_AUTHORISED", clause, text, (event_id,))
    text = say("TH.no_decision_on_file", needed=minimum)
    return Remark("DECISION_MISSING", clause, text, evidence)


def without_a_decision(record: HoldemRecord) -> Iterator[Remark]:
    """Rulings with a word that is no decision, or a count that is no number: not said."""
    yield from unheard(record, "TH:7", SPOKEN)
    for event_id, made in record.rulings_under("TH:7.7"):
        if made.decision == "counted" and not _number(made.value):
            text = say("TH.no_number", value=made.value)
            yield Remark("WORD_UNKNOWN", "TH:7.7", text, (event_id,))


def _causes(record: HoldemRecord) -> tuple[VoidCause, ...]:
    """What lets the House void the round; its own void stands for a cause that it did not name."""
    named = tuple(_named(record))
    ruled = _by_the_house(record, "TH:7.1", "void")
    if named or not ruled:
        return named
    text = say("TH.house_voided_for_nothing")
    return (VoidCause(Remark("RULING_WITHOUT_CAUSE", "TH:7.1", text, ruled), -1, declared=True),)


def _named(record: HoldemRecord) -> Iterator[VoidCause]:
    """What was reported or ruled on, and a card dealt twice that nobody reported."""
    reported = {clause: record.reported(clause) for clause in INVALIDATING}
    twins = _twins(record)
    for clause, evidence in reported.items():
        found = evidence or (
            () if twins and clause == "TH:7.1.3" else _by_the_house(record, clause)
        )
        if found:
            came_up = (
                report.n
                for report in record.reports
                if report.clause == clause and report.kind != VOIDED
            )
            told = Remark(f"IRREGULARITY_{clause[3:]}", clause, INVALIDATING[clause], found)
            yield VoidCause(told, max(came_up, default=-1), declared=True)
    if _leaves_the_house_a_choice(record):
        for counted in _wrong_counts(record):
            told = counted._replace(clause="TH:7.1.3")
            yield VoidCause(told, record.place(told.evidence[0]), declared=True)
    if twins:
        code = str(game.seen(twins[0]))
        evidence = tuple(event_id for at in twins for event_id in at.evidence)
        told = Remark("DECK_INTEGRITY", "TH:7.1.3", say("TH.dealt_twice", card=code), evidence)
        since = sorted(record.place(at.evidence[0]) for at in twins)[1]
        spoken_of = any(record.place(at) > since for at in reported["TH:7.1.3"])
        yield VoidCause(told, since, declared=spoken_of)


def _on_the_house(record: HoldemRecord) -> list[Ruling]:
    """The rulings under 7.1 with a word that decides, whoever made them."""
    words = SPOKEN["TH:7.1"]
    return [(at, made) for at, made in record.rulings_under("TH:7.1") if made.decision in words]


def _by_the_house(record: HoldemRecord, clause: str, *words: str) -> Evidence:
    """The rulings of the House on a cause that nobody reported: they report it themselves."""
    minimum = record.terms.readings["void_authority"]
    return tuple(
        event_id
        for event_id, made in _on_the_house(record)
        if within(made.clause, clause)
        and (not words or made.decision in words)
        and at_least(made.rank, minimum)
        and record.made_in_time(event_id, -1)
        and record.place(event_id) < record.over
    )


def _loose(record: HoldemRecord, causes: Sequence[VoidCause]) -> Iterator[Remark]:
    """Rulings under 7.1 on nothing that had come up: by too low a rank, or after the close."""
    minimum = record.terms.readings["void_authority"]
    heard = {event_id for cause in causes for event_id, _ in _decided(record, cause)}
    for event_id, made in _on_the_house(record):
        if event_id in heard:
            continue
        if not at_least(made.rank, minimum):
            yield undecided([(event_id, made)], made.clause, minimum, ())
        elif made.decision == "void" and record.place(event_id) > record.over and not causes:
            text = say("TH.ruled_void_afterwards")
            yield Remark("REOPENED_ROUND", "TH:7.2", text, (event_id,))
        elif made.decision == "continue" and not causes:
            yield without_cause(event_id, made, say("TH.nothing_to_void_for"))


def _on_the_case(record: HoldemRecord) -> list[Ruling]:
    """The rulings under 7.13 with a word that decides."""
    words = SPOKEN[NOT_COVERED]
    return [(at, made) for at, made in record.rulings_under(NOT_COVERED) if made.decision in words]


def _decided(record: HoldemRecord, cause: VoidCause) -> list[Ruling]:
    """The rulings on one cause: those that name it or all of 7.1, made while it was open.

    All of 7.1 is what somebody had declared: nobody decides on a card that nobody spoke of.
    """
    return [
        (event_id, made)
        for event_id, made in _on_the_house(record)
        if (made.clause == "TH:7.1" and cause.declared) or within(made.clause, cause.told.clause)
        if record.made_in_time(event_id, cause.since)
    ]


def _word(record: HoldemRecord, cause: VoidCause) -> str:
    """What the House decided on a cause; empty where nobody of the right rank did."""
    stands = standing(_decided(record, cause), record.terms.readings["void_authority"])
    return stands.decision if stands else ""


def _from_below(record: HoldemRecord, cause: VoidCause) -> list[Ruling]:
    minimum = record.terms.readings["void_authority"]
    return _unsupported(_decided(record, cause), minimum, _word(record, cause))


def _unsupported(decided: list[Ruling], minimum: str, word: str) -> list[Ruling]:
    """The rulings by too low a rank that the word of the right rank does not bear out."""
    return [
        (event_id, made)
        for event_id, made in decided
        if not at_least(made.rank, minimum) and made.decision != word
    ]


def _goes_on(record: HoldemRecord, cause: VoidCause) -> bool:
    """Whether the House let the round go on in spite of a cause."""
    return _word(record, cause) == "continue"


def _twins(record: HoldemRecord) -> list[Sight]:
    """The places of a card that was dealt twice from the single deck."""
    places = record.read.order or [at for held in record.read.hands.values() for at in held]
    cards = Counter(str(game.seen(place)) for place in places if game.seen(place))
    twice = next((code for code in map(str, DECK) if cards[code] > 1), "")
    return [place for place in places if twice and str(game.seen(place)) == twice]


def _leaves_the_house_a_choice(record: HoldemRecord) -> bool:
    """Whether a wrong count is the excess or shortage of 7.1.3 as well (issue count_not_52)."""
    return record.terms.readings["count_not_52"] == "as_7.1.3"


def _wrong_counts(record: HoldemRecord) -> Iterator[Remark]:
    """TH:7.7: manual counts of another number than a deck has."""
    for event_id, made in _counts(record):
        if _number(made.value) and int(made.value) != len(DECK):
            text = say("TH.counted", found=int(made.value), wanted=len(DECK))
            yield Remark("COUNT_NOT_52", "TH:7.7", text, (event_id,))


def _uncounted(record: HoldemRecord) -> Iterator[Remark]:
    """TH:7.7: a doubt asks for a manual count."""
    counts = _counts(record)
    doubts = record.reported("TH:7.7") + tuple(event_id for event_id, _ in counts)
    if doubts and not any(_number(made.value) for _, made in counts):
        text = say("TH.not_counted")
        yield Remark("COUNT_NOT_TAKEN", "TH:7.7", text, doubts)


def _counts(record: HoldemRecord) -> list[Ruling]:
    return [(id, made) for id, made in record.rulings_under("TH:7.7") if made.decision == "counted"]


def _number(value: str) -> bool:
    return value.isascii() and value.isdecimal()
