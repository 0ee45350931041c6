"""The derivation in sentences: cards, counts, draws, result, and what limits each wager."""

from collections.abc import Iterable, Iterator

from replay.games import tiger_baccarat as game
from replay.ruled import Stand, Step
from replay.rulings.tiger_baccarat.record import TigerBaccaratRecord
from replay.sentence import Sentence, say
from replay.wagers import Wager
from schemas import events as e
from schemas.cards import Card


def story(record: TigerBaccaratRecord) -> Iterator[Step]:
    """From the wagers to the last card."""
    if record.wagers:
        n, total = len(record.wagers), sum(wager.stake for wager in record.wagers)
        text = say("TB.wagers", n=n, total=total, currency=record.terms.currency)
        yield Step(text, ("TB:4.6",), record.seen(e.BettingClosed))
    if record.lying:
        shown = tuple(card for _, card in record.lying)
        yield Step(say("TB.opens_with", cards=shown), ("TB:7.8",))
    read = record.read
    if read.used:
        evidence = tuple(id for at in read.used for id in at.evidence)
        order = tuple(str(at.shoe or at.card) for at in read.used)
        yield Step(say("TB.draw_order", cards=order), ("TB:4.9.1",), evidence)
    if read.unread:
        yield Step(say("TB.deal_unknown", why=read.unread), ("TB:4.9.1",), read.doubt)
    elif len(read.used) >= len(game.OPENING):
        yield from _draws(read.deal)


def end(record: TigerBaccaratRecord, status: str, clauses: tuple[str, ...]) -> Iterator[Step]:
    """How the round ends."""
    if status in ("settled", "free_hand") and not record.read.unread:
        yield Step(_result(record.read.deal), ("TB:4.17", "TB:6.1"))
    if record.afterwards:
        yield Step(say("TB.found_wrong_afterwards"), ("TB:7.1.2",), record.afterwards)
    if status == "free_hand":
        yield Step(say("TB.free_hand"), clauses)
    if status == "void":
        yield Step(say("TB.void"), clauses)
    if status == "unsettled":
        yield Step(say("TB.not_dealt"), clauses)


def limits(stands: Iterable[Stand]) -> Iterator[Step]:
    """What limits each wager, one step a reason."""
    for stand in stands:
        for flag in stand.flags:
            limit = _limit(flag, stand.wager)
            if limit:
                text, clause = limit
                yield Step(text, (clause,), (stand.wager.event_id,), stand.wager.wager_id)


def _limit(flag: str, wager: Wager) -> tuple[Sentence, str] | None:
    """What a line flag means for its wager, with its clause; None where it is no limit."""
    bet, stake, player = wager.bet, wager.stake, wager.player_id
    match flag:
        case "BELOW_MIN":
            return say("TB.below_min", bet=bet, stake=stake, player=player), "TB:7.17"
        case "BELOW_MIN_REPEAT":
            return say("TB.below_min_repeat", bet=bet, stake=stake, player=player), "TB:7.17"
        case "OVER_MAX":
            return say("TB.over_max", bet=bet, stake=stake, player=player), "TB:7.18"
        case "PRO_RATA":
            return say("TB.pro_rata", bet=bet, stake=stake, player=player), "TB:7.19"
        case "PRO_RATA_EXEMPT":
            return say("TB.pro_rata_exempt", bet=bet, stake=stake, player=player), "TB:7.19.1"
    return None


def _result(deal: game.Deal) -> Sentence:
    won, player, banker = game.winner(deal), game.points(deal.player), game.points(deal.banker)
    if won == "tie":
        return say("TB.tie", player=player, banker=banker)
    return say("TB.wins", player=player, banker=banker, winner=won)


def _draws(deal: game.Deal) -> Iterator[Step]:
    player, banker = _two(deal.player), _two(deal.banker)
    if max(game.points(hand[:2]) for hand in deal) >= 8:
        yield Step(say("TB.natural", player=player, banker=banker), ("TB:4.13",))
        return
    yield Step(_third("player", deal.player), ("TB:4.14",))
    clause = "TB:4.15" if len(deal.player) == 3 else "TB:4.16"
    yield Step(_third("banker", deal.banker), (clause,))


def _two(hand: tuple[Card, ...]) -> Sentence:
    cards = tuple(map(str, hand[:2]))
    return say("TB.two_cards", cards=cards, points=game.points(hand[:2]))


def _third(name: str, hand: tuple[Card, ...]) -> Sentence:
    two = _two(hand)
    if len(hand) == 3:
        return say("TB.draws", hand=name, two=two, card=str(hand[2]), points=game.points(hand))
    return say("TB.takes_no_card", hand=name, two=two)
