"""What people did: late chips, shared boxes, faced and damaged cards, calls, order of payment."""

from collections.abc import Iterable, Iterator, Mapping

from replay.games import niu_niu as game
from replay.games.niu_niu import Hand
from replay.ruled import Stand
from replay.rulings.niu_niu.limits import NEEDS
from replay.rulings.niu_niu.record import MISDEALT, NOT_COVERED, SPOKEN, NiuNiuRecord
from replay.rulings.niu_niu.words import STAND_OFFS, class_name, said
from replay.rulings.shared import declared_void, section_seven
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import Evidence, unheard, within
from replay.sentence import Sentence, say
from schemas import events as e
from schemas.ranks import at_least

# Why wagers go back, by the code of the round.
REFUSED = {
    "LATE_BET": ("NN:4.7", say("NN.late_chips")),
    "BOX_SHARED": ("NN:4.5.4", say("NN.box_shared")),
    "SIDE_BET": ("NN:7.12", say("NN.side_bet")),
}

# What was reported of cards once they were dealt.
DAMAGED = {"NN:7.9": say("NN.cards_damaged"), "NN:4.10": say("NN.cards_off_layout")}


def wagers(record: NiuNiuRecord) -> Iterator[Remark]:
    """Wagers that may not lie where they lie, or moved when nothing may (4.5.4, 4.7, 7.12)."""
    moved = [wager for wager in record.boxes.wagers if wager.late_changes or wager.withdrawal]
    for code, (clause, why) in REFUSED.items():
        names = [at.wager.wager_id for at in record.boxes.back.values() if code in at.codes]
        evidence = [at.wager.event_id for at in record.boxes.back.values() if code in at.codes]
        if code == "LATE_BET":
            names += [at.wager_id for at in moved]
            evidence += [id for at in moved for id in at.late_changes]
            evidence += [at.withdrawal.event_id for at in moved if at.withdrawal]
        if names:
            text = say("NN.wagers_refused", why=why, wagers=tuple(names))
            yield Remark(code, clause, text, tuple(evidence))


def notes(record: NiuNiuRecord) -> Iterator[Remark]:
    """What changes nothing but should be known (7.3, 7.9, 4.6.2)."""
    exposed = (*record.seen(e.CardExposed), *record.reports.get("NN:7.3", ()))
    if exposed:
        text = say("NN.card_faced")
        yield Remark("CARD_EXPOSED", "NN:7.3", text, exposed)
    for clause, text in DAMAGED.items():
        if clause in record.reports:
            yield Remark("CARD_DAMAGED", clause, text, record.reports[clause])
    yield from unheard(record, "NN:7", SPOKEN)
    if not_covered(record):
        text = say("NN.not_covered")
        yield Remark("WORD_UNKNOWN", NOT_COVERED, text, not_covered(record))
    for event_id, made in record.rulings_under("NN:4.6.2"):
        if not at_least(made.rank, "pit_manager"):
            text = say("NN.kept_to_one_box", rank=made.rank)
            yield Remark("DECISION_NOT_AUTHORISED", "NN:4.6.2", text, (event_id,))


def short_reserves(record: NiuNiuRecord, stands: Iterable[Stand]) -> Iterator[Remark]:
    """A Reserve that is short wants a pit manager's ruling on file (4.5.3, issue short_reserve)."""
    for wager in (stand.wager for stand in stands if "RESERVE_SHORT" in stand.flags):
        clause, about = NEEDS[wager.bet], ("", wager.wager_id, wager.player_id, wager.box)
        made = [
            (event_id, ruling)
            for event_id, ruling in record.rulings_under("NN:4.5.3")
            if within(clause, ruling.clause) and ruling.subject in about
        ]
        if any(at_least(ruling.rank, "pit_manager") for _, ruling in made):
            continue
        evidence = (wager.event_id, *(event_id for event_id, _ in made))
        if made:
            rank = made[0][1].rank
            text = say("NN.ruled_on_reserve", rank=rank, wager=wager.wager_id)
            yield Remark("DECISION_NOT_AUTHORISED", clause, text, evidence)
        else:
            text = say("NN.reserve_unruled", wager=wager.wager_id)
            yield Remark("DECISION_MISSING", clause, text, evidence)


def calls(record: NiuNiuRecord, hands: Mapping[str, Hand]) -> Iterator[Remark]:
    """Hands set or called otherwise than they are (7.8), and calls of a tie, which cannot be."""
    readings, reset = record.terms.readings, list[Sentence]()
    evidence: Evidence = record.reports.get("NN:7.8", ())
    for event in record.round.events:
        match event.payload:
            case e.ResultCalled(result=result) if said(result) in STAND_OFFS:
                text = say("NN.standoff_recorded", result=result)
                yield Remark("STANDOFF_RECORDED", "NN:6.2.15", text, (event.event_id,))
            case e.ResultCalled(result=result, box=box) if (box or game.DEALER) in hands:
                true = game.class_of(hands[box or game.DEALER], readings)
                if said(result) != true:
                    hand = box or game.DEALER
                    reset.append(
                        say(
                            "NN.called_otherwise",
                            hand=hand,
                            called=_called(result),
                            holds=class_name(true),
                        )
                    )
                    evidence += (event.event_id,)
    if evidence:
        told = tuple(reset) or (say("NN.set_incorrectly"),)
        yield Remark("HAND_RESET", "NN:7.8", say("NN.true_class", told=told), evidence)


def _called(result: str) -> str | Sentence:
    """The class that was called; the word itself where it is none."""
    return class_name(said(result)) if said(result) in game.CLASSES else result


def settle_order(record: NiuNiuRecord, hands: Mapping[str, Hand]) -> Iterator[Remark]:
    """Boxes are settled from the Dealer's right to the left (6.3), against the deal."""
    live = record.boxes.live
    box_of = {at.wager_id: name for name in live if name in hands for at in live[name].values()}
    settled = [
        (event.event_id, box_of[event.payload.wager_id])
        for event in record.round.events
        if isinstance(event.payload, e.WagerSettled) and event.payload.wager_id in box_of
    ]
    order = list(dict.fromkeys(box for _, box in settled))
    if order != game.clockwise(order)[::-1]:
        text = say("NN.settle_order", boxes=tuple(order))
        yield Remark("SETTLE_ORDER", "NN:6.3", text, tuple(event_id for event_id, _ in settled))


def called_off(record: NiuNiuRecord) -> Evidence:
    """The events that called the round void before its first card, and not for a misdeal."""
    for clause in MISDEALT:
        named = any(
            isinstance(event.payload, e.RoundVoided) and within(event.payload.clause, clause)
            for event in record.round.events
        )
        if named or record.rulings_under(clause):
            return ()
    return section_seven.called_off(record.round.events)


def unjustified_void(record: NiuNiuRecord, told: Iterable[Remark]) -> Iterator[Remark]:
    """A round that the table voided though the rules let it stand."""
    voided = declared_void.ids(record.round.events)
    if voided:
        clause = next(
            (remark.clause for remark in told if remark.clause.startswith("NN:7.")), "NN:2.2.6"
        )
        text = say("NN.unjustified_void")
        yield Remark("UNJUSTIFIED_VOID", clause, text, voided)


def not_covered(record: NiuNiuRecord) -> Evidence:
    """Reports of what section 7 does not name: a matter for a dispute (8.1)."""
    return record.reports.get(NOT_COVERED, ())
