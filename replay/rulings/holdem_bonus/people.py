"""What people did at the table: late chips, looks at hands, settlements touched again."""

from collections.abc import Iterator

from replay.rulings.holdem_bonus.boxes import DECISIONS, box_of, off_the_layout
from replay.rulings.holdem_bonus.decisions import undecided, without_a_decision
from replay.rulings.holdem_bonus.record import HoldemRecord
from replay.rulings.shared import stray_cards
from replay.rulings.shared.remark import Remark
from replay.rulings.shared.section_seven import off_the_record, touched_again
from replay.sentence import say
from schemas import events as e
from schemas.ranks import at_least


def every_round(record: HoldemRecord) -> Iterator[Remark]:
    """What is looked for in every round, settled or not."""
    behind = [wager for wager in record.wagers if wager.late or wager.late_changes]
    if behind:
        evidence = tuple(id for at in behind for id in (at.event_id, *at.late_changes))
        text = say("TH.late_chips", wagers=tuple(at.wager_id for at in behind))
        yield Remark("LATE_BET", "TH:4.9", text, evidence)
    for card in stray_cards.told(record.round, record.over):
        yield Remark(stray_cards.CODE, "TH:2.2.19", card.text, card.evidence)
    yield from off_the_record(record, "TH:2.2.19")
    yield from _refused(record)
    yield from _views(record)
    yield from _restricted(record)
    yield from _reopened(record)
    yield from _old_deck(record)
    yield from _strange_decisions(record)
    yield from without_a_decision(record)
    for box in record.boxes.values():
        if box.fold_too_late:
            text = say("TH.fold_too_late", box=box.name)
            yield Remark("FOLD_TOO_LATE", "TH:2.2.13", text, (box.fold_too_late,))


def deck(record: HoldemRecord) -> str:
    """The name of the deck in play; empty where nobody recorded it."""
    return record.round.shoe.shoe_id if record.round.shoe else ""


def _refused(record: HoldemRecord) -> Iterator[Remark]:
    """TH:4.7.1 and 4.7.2: one player a box, one of each bet, and no other bets."""
    for wager in record.wagers:
        if wager.illegal_moves:
            text = say("TH.moved_off_layout", wager=wager.wager_id)
            yield Remark("ILLEGAL_POSITION", "TH:4.7.2", text, wager.illegal_moves)
    for stand in record.seated.aside.values():
        wager, evidence = stand.wager, (stand.wager.event_id,)
        if off_the_layout(wager):
            own = box_of(wager)
            text = say("TH.off_layout", wager=wager.wager_id, bet=wager.bet, box=own)
            yield Remark("ILLEGAL_POSITION", "TH:4.7.2", text, evidence)
        elif stand.clauses[0] in ("TH:4.7.1", "TH:4.7.2"):
            text = say("TH.second_bet", wager=wager.wager_id, bet=wager.bet)
            yield Remark("BOX_SHARED", stand.clauses[0], text, evidence)


def _views(record: HoldemRecord) -> Iterator[Remark]:
    """TH:4.7.1: a player with several hands looks at one of them only."""
    viewed: dict[str, dict[str, str]] = {}
    for event in record.round.events:
        match event.payload:
            case e.CardHandled(hand=hand, player_id=player):
                viewed.setdefault(player, {}).setdefault(hand, event.event_id)
    for player, hands in viewed.items():
        if len(hands) > 1:
            text = say("TH.looked_at_hands", player=player, boxes=tuple(hands))
            yield Remark("MULTI_VIEW", "TH:4.7.1", text, tuple(hands.values()))


def _strange_decisions(record: HoldemRecord) -> Iterator[Remark]:
    """Decisions that count for nothing: a word that is none, or said for another's box."""
    for event in record.round.events:
        match event.payload:
            case e.DecisionMade(decision=word) if word.lower() not in DECISIONS:
                text = say("TH.no_decision", word=word)
                yield Remark("WORD_UNKNOWN", "TH:2.2.13", text, (event.event_id,))
            case e.DecisionMade(box=name, player_id=who) if who and name in record.boxes:
                if who != record.boxes[name].player_id:
                    text = say("TH.decided_for_another", player=who, box=name)
                    yield Remark("DECISION_NOT_OWN", "TH:4.7.1", text, (event.event_id,))


def _restricted(record: HoldemRecord) -> Iterator[Remark]:
    """TH:4.7.3: it takes a Pit Manager to keep a player to one hand."""
    for event_id, made in record.rulings_under("TH:4.7.3"):
        if not at_least(made.rank, "pit_manager"):
            yield undecided([(event_id, made)], "TH:4.7.3", "pit_manager", ())


def _reopened(record: HoldemRecord) -> Iterator[Remark]:
    """Signs that a settlement that stands was touched again (TH:7.2, 7.8)."""
    for text, event_id in touched_again(record.round.events):
        yield Remark("REOPENED_ROUND", "TH:7.2", text, (event_id,))


def _old_deck(record: HoldemRecord) -> Iterator[Remark]:
    """TH:7.2: whether the deck of a round that it voided is still in play."""
    if not record.memory.get("new_deck_due"):
        return
    before, now = record.memory.get("deck", ""), deck(record)
    loaded = any(isinstance(event.payload, e.ShoeLoaded) for event in record.round.before)
    if now == before if now or before else not loaded:
        yield Remark("DECK_NOT_REPLACED", "TH:7.2", say("TH.deck_not_replaced"))
