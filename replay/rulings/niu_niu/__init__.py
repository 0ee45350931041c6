"""Hoiana Niu Niu, section 7: what becomes of a round and its wagers when things go wrong.

Rulebook NN, no. 03/18.08.2024. Everything that can change a due of this game stands in this
package. `rule` goes through section 7 in this order, and the first part that ends the round wins:

    record.look         reads the round: boxes, packets as they left the device, reports, rulings
    deck.invalid        foreign cards, a jam, a wrong count, a disruption: the House voids (7.1)
    people.called_off   the round was called void before any card
    hands.unfinished    cards are still to come: wagers stay open
    hands.dealt         the Dealer's hand (7.5), the players' counts (7.4), misplaced packets
                        (7.6, 7.7); it rebuilds the hands where the rules let it
    _settled            `limits` says what is in action (4.5.2, 4.5.3, 7.11), `game` compares

`boxes` says whose wager lies where, `people` remarks on what people did, `story` writes the steps
of the derivation. A void round gives back every bet and every Reserve (7.10).

Carried to the next round:

    replace_deck   the deck that 7.2 takes out of play; empty where nobody recorded its name
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from replay.betting_end import End, cards, find
from replay.games import niu_niu as game
from replay.games.niu_niu import Hand
from replay.play_events import SEEN_CARDS
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Stand, Step, Waits
from replay.rulings.niu_niu import deck, limits, people, story
from replay.rulings.niu_niu.hands import NiuNiuHands, dealt, overruled, places, unfinished
from replay.rulings.niu_niu.record import SPOKEN, NiuNiuRecord, look
from replay.rulings.niu_niu.words import said
from replay.rulings.shared import stray_cards
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import against_rules, decisions, off_the_record
from replay.sentence import Prose, say
from replay.settle import Due, Gaps, told_mispaid
from schemas import events as e

__all__ = ["betting_end", "mispaid", "rule", "said"]

COUNTDOWN = False
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = (*SEEN_CARDS, e.CardHandled, e.CutCardReached)
PLAY_CLAUSE = "NN:2.2.5"
RULES_AFTERWARDS = True
CARRIED: Carried = {"replace_deck": str}
TELLS_OF_OTHER_ROUNDS = True  # NN:7.2
RULES_ON_JAMS = True  # NN:7.1.2
VOID_AFTER_CALL = True  # NN:7.10
HEEDS = frozenset({"RulingMade", "reserve"})
CHOICE_CLAUSES = tuple(SPOKEN)
ruling_words = partial(decisions, section="NN:7", spoken=SPOKEN)


def foreign_hand(hand: str) -> bool:
    """Whether a card was told of a hand that the game does not have."""
    return hand not in game.HANDS and not hand.isdecimal()


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """NN:4.7. The first card ends betting even where nobody announced it."""
    del terms
    return find(events, cards(_is_hand, anywhere=True))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after section 7 of its rulebook."""
    record = look(round, terms, memory)
    wrong = deck.invalid(record)
    if wrong.clauses:
        ruled = _void(record, wrong.clauses, wrong.remarks, {})
        return ruled._replace(memory=deck.left(record, wrong))
    off = () if record.packets else people.called_off(record)
    if off:
        missing = deck.undecided(record, off)
        return _void(record, ("NN:7.1",), (*wrong.remarks, *missing), {})
    if unfinished(record) and not _ended(record):
        return _open(record, wrong.remarks)
    if not record.boxes.live and not record.packets:
        return _settled(
            record, NiuNiuHands(remarks=wrong.remarks)
        )  # nobody took part, nobody dealt
    cards = dealt(record)
    told = (*wrong.remarks, *cards.remarks, *overruled(record, cards))
    cards = cards._replace(remarks=told)
    readings = _dealing(record, cards)
    if cards.void:
        told = (*told, *against_rules(record, *cards.void))
        return _void(record, cards.void, told, readings)
    if cards.unknown:
        return _unknown(record, cards, readings)
    ruled = _settled(record, cards)
    return ruled._replace(readings={**readings, **ruled.readings})


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterable[Flag]:
    """One flag a round of each kind, with the signed differences of the wagers it is about."""
    kinds = {
        "SETTLEMENT_MISMATCH": ("NN:6.3", gaps),
        "VOID_NOT_RETURNED": ("NN:7.10", [at for at in gaps if "NN:7.10" in at[0].clauses]),
        "RESERVE_PAID": ("NN:6.3.1", [at for at in gaps if _reserve_paid(*at)]),
    }
    for code, (clause, found) in kinds.items():
        if found:
            yield Flag(code, clause, note=told_mispaid(found))


def _is_hand(name: str) -> bool:
    return name == game.DEALER or game.number(name)


def _settled(record: NiuNiuRecord, cards: NiuNiuHands) -> Ruled:
    """A round that is compared box by box, from the Dealer's right to the left (6.3)."""
    terms, hands = record.terms, cards.hands
    stands, readings = _stands(record, cards)
    told = [*cards.remarks, *people.notes(record), *people.wagers(record)]
    told += people.short_reserves(record, stands)
    told += [*people.calls(record, hands), *people.settle_order(record, hands)]
    told += people.unjustified_void(record, told)
    told += _always(record)
    compared = tuple(story.comparison(record, hands)) if hands else ()
    return Ruled(
        status="settled",
        outcome=", ".join(_shown(name, hand, terms) for name, hand in _dealer_first(hands)),
        facts=frozenset(_facts(hands, terms)),
        stands=stands,
        flags=_flags(told),
        steps=(*_told(record, told), *compared, *story.limits(stands)),
        clauses=("NN:6.3",),
        result=game.class_of(hands[game.DEALER], terms.readings) if hands else "",
        pay_order=_right_to_left(stands),
        readings=readings,
        rebuilt=places(record, cards),
    )


def _void(
    record: NiuNiuRecord,
    clauses: tuple[str, ...],
    remarks: Iterable[Remark],
    readings: Mapping[str, str],
) -> Ruled:
    """7.10: every bet and every Reserve goes back."""
    told = [*remarks, *people.notes(record), *people.wagers(record), *_always(record)]
    back = (*clauses, "NN:7.10")
    ends = Step(say("NN.void"), back)
    return Ruled(
        status="void",
        outcome="",
        facts=frozenset(),
        stands=tuple(Stand(wager, Fraction(0), "returned", back) for wager in record.boxes.wagers),
        flags=_flags(told),
        steps=(*_told(record, told), ends),
        clauses=clauses,
        readings=readings,
    )


def _unknown(record: NiuNiuRecord, cards: NiuNiuHands, readings: Mapping[str, str]) -> Ruled:
    """A card that decides is missing, or its readings disagree: nothing is guessed."""
    told = [*cards.remarks, *people.notes(record), *people.wagers(record), *_always(record)]
    assert cards.unknown is not None
    why = Step(say("NN.hands_unknown", why=cards.unknown), ("NN:4.8.3",))
    steps = (*_told(record, told), why)
    clauses = ("NN:4.8.3",)
    flags = (*_flags(told), Flag("RESULT_UNKNOWN", "NN:4.8.3", note=cards.unknown))
    return Ruled(
        "unknown",
        "",
        frozenset(),
        (),
        flags,
        steps,
        clauses=clauses,
        readings=readings,
        rebuilt=places(record, cards),
    )


def _open(record: NiuNiuRecord, remarks: Iterable[Remark]) -> Ruled:
    """The cards are not all dealt and the round is not over: wagers stay where they are."""
    told = [*remarks, *people.notes(record), *people.wagers(record)]
    clauses = ("NN:2.2.5",)
    stands = tuple(Stand(wager, Fraction(0), "open", clauses) for wager in record.boxes.wagers)
    ends = Step(say("NN.not_finished"), clauses)
    return Ruled(
        status="unsettled",
        outcome="",
        facts=frozenset(),
        stands=stands,
        flags=_flags(told),
        steps=(*_told(record, told), ends),
        memory=record.memory,
        clauses=clauses,
    )


def _stands(record: NiuNiuRecord, cards: NiuNiuHands) -> tuple[tuple[Stand, ...], dict[str, str]]:
    """Every wager as it is settled, and the rule issues that the amounts depend on."""
    found: dict[str, Stand] = {}
    readings: dict[str, str] = {}
    for name, box in record.boxes.live.items():
        if name in cards.gone:
            clauses = (cards.gone[name],)
            found |= {at.wager_id: Stand(at, Fraction(0), "returned", clauses)
                      for at in box.values()}  # fmt: skip
            continue
        live = limits.in_action(box, record.terms)
        found |= _decided(live, name, cards.hands, record.terms)
    if record.boxes.split:
        readings["reserve_accounts"] = record.terms.readings["reserve_accounts"]
    for back in record.boxes.back.values():
        missing = tuple(code for code in back.codes if code == "EVEN_MISSING")
        found[back.wager.wager_id] = Stand(
            back.wager, Fraction(0), "returned", (back.clause,), missing
        )
    return tuple(found[wager.wager_id] for wager in record.boxes.wagers), readings


def _decided(
    live: Mapping[str, Stand], box: str, hands: Mapping[str, Hand], terms: Terms
) -> dict[str, Stand]:
    """The stands of a box with the facts of its own hand."""
    facts = game.facts(hands[box], hands[game.DEALER], terms.readings)
    if "player wins with NIU_6" in facts and _pays_commission(live.values(), terms):
        facts |= {game.COMMISSION_DUE}
    return {wager_id: stand._replace(facts=facts) for wager_id, stand in live.items()}


def _pays_commission(live: Iterable[Stand], terms: Terms) -> bool:
    """Whether Even pays commission on a Niu 6: always, or where no other bet goes with it (5.2)."""
    others = [stand for stand in live if stand.wager.bet != "even"]
    if terms.readings["even_niu6_commission"] == "even_only":
        others = [stand for stand in others if stand.action]
    return terms.readings["even_niu6_commission"] == "always" or not others


def _dealing(record: NiuNiuRecord, cards: NiuNiuHands) -> dict[str, str]:
    """The rule issues that the treatment of a misdeal rests on."""
    misdealt = bool(cards.gone or cards.rebuilt or (cards.void and cards.void != ("NN:7.5",)))
    relied = {"handled": misdealt, "reconstruction": cards.rebuilt}
    return {issue: record.terms.readings[issue] for issue, needed in relied.items() if needed}


def _always(record: NiuNiuRecord) -> Iterator[Remark]:
    for card in stray_cards.told(record.round, record.over):
        yield Remark(stray_cards.CODE, "NN:2.2.5", card.text, card.evidence)
    yield from off_the_record(record, "NN:2.2.5")
    yield from deck.succession(record)
    yield from deck.reopened(record)


def _ended(record: NiuNiuRecord) -> bool:
    return bool(record.seen(e.RoundClosed, e.RoundVoided, e.ResultCalled, e.WagerSettled))


def _told(record: NiuNiuRecord, told: Iterable[Remark]) -> tuple[Step, ...]:
    return (*story.opening(record), *(remark.step for remark in told))


def _dealer_first(hands: Mapping[str, Hand]) -> Iterator[tuple[str, Hand]]:
    names = sorted(hands, key=lambda name: name != game.DEALER)  # boxes stay clockwise
    return ((name, hands[name]) for name in names)


def _shown(name: str, hand: Hand, terms: Terms) -> str:
    return f"{name} {game.class_of(hand, terms.readings)} {game.top(hand)}"


def _facts(hands: Mapping[str, Hand], terms: Terms) -> Iterator[str]:
    for name, hand in hands.items():
        yield f"{name} holds {' '.join(map(str, hand))}"
        yield f"{name} shows {game.class_of(hand, terms.readings)}"


def _right_to_left(stands: Iterable[Stand]) -> tuple[str, ...]:
    """The wagers that are paid or taken, box by box from the Dealer's right (6.3)."""
    live = [stand.wager for stand in stands if not stand.fate]
    order = game.clockwise({at.box for at in live})[::-1]
    live.sort(key=lambda at: (order.index(at.box), game.BETS.index(at.bet)))
    return tuple(at.wager_id for at in live)


def _flags(told: Iterable[Remark]) -> tuple[Flag, ...]:
    """Each code once a round, with everything that was said under it."""
    found: dict[str, Flag] = {}
    notes: dict[str, dict[Prose, None]] = {}
    for flag in (remark.flag for remark in told):
        found.setdefault(flag.code, flag)
        notes.setdefault(flag.code, {})[flag.note] = None
    return tuple(flag._replace(note=_one_note(*notes[code])) for code, flag in found.items())


def _one_note(first: Prose, *others: Prose) -> Prose:
    return say("NN.notes", notes=(first, *others)) if others else first


def _reserve_paid(due: Due, gaps: Gaps) -> bool:
    """Whether what was paid too much is just what the Reserve would have earned (D-10)."""
    more = gaps.get("paid", 0)
    if due.outcome != "win" or more <= 0 or not due.reserve_returned:
        return False
    earned = Fraction(due.paid) / due.action * due.reserve_returned
    return abs(more - earned) <= 1
