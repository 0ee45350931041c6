"""Blackjack: what the hands came to, and whether it was called that way."""

from collections.abc import Iterable, Iterator, Mapping

from replay.games import blackjack as game
from replay.games.blackjack.hands import Played
from replay.games.blackjack.order import clockwise
from replay.ruled import Step
from replay.rulings.blackjack.record import BlackjackRecord, BlackjackRemark
from replay.sentence import Sentence, say
from schemas import events as e
from schemas.cards import Card

UNFINISHED = "not complete"
WORDS: Mapping[str, Sentence] = {
    "blackjack": say("SA-BJ.blackjack"),
    "bust": say("SA-BJ.bust"),
    "surrender": say("SA-BJ.surrender"),
    "win": say("SA-BJ.win"),
    "lose": say("SA-BJ.lose"),
    "push": say("SA-BJ.push"),
    UNFINISHED: say("SA-BJ.not_complete"),
}  # a total is its number
SPOKEN = {"bj": "blackjack", "busted": "bust", "busts": "bust", "surrendered": "surrender"}


def said(result: str) -> str:
    """A called result as one word: `blackjack`, `bust`, a total, `win`, `lose`, `push`."""
    word = result.strip().lower().removeprefix("dealer").strip()
    if word.isdigit() and int(word) > 21:
        return "bust"
    return SPOKEN.get(word, word)


def dealers(record: BlackjackRecord) -> str:
    """The dealer's hand as one word."""
    cards = record.table.dealer
    return game.told(cards, blackjack=game.is_blackjack(cards))


def facts(record: BlackjackRecord) -> frozenset[str]:
    """What holds for the whole table."""
    return frozenset({f"dealer {dealers(record)}"} if record.dealer_done else ())


def outcome(record: BlackjackRecord) -> str:
    """The result for people: the dealer's hand and then every other one that has a result."""
    known = [held for held in _hands(record) if _right(record, held.name)]
    hands = [f"{held.name} {_state(held)}" for held in known]
    dealer = [f"dealer {dealers(record)}"] if record.dealer_done else []
    return "; ".join([*dealer, *hands]) if dealer else ""


def mismatches(record: BlackjackRecord) -> Iterator[BlackjackRemark]:
    """Calls that are not what the cards show, of the dealer's hand or of any other."""
    for event in record.round.events:
        if not isinstance(event.payload, e.ResultCalled):
            continue
        call = event.payload
        name = call.box or game.DEALER
        right = _right(record, name)
        if said(call.result) not in right:
            shown = tuple(WORDS.get(word, word) for word in right)
            note = say("SA-BJ.call_without_result", called=call.result)
            if shown:
                note = say("SA-BJ.call_differs", called=call.result, right=shown)
            clause = "SA-BJ:3.4.5" if name == game.DEALER else "SA-BJ:3.2.1"
            yield BlackjackRemark("RESULT_MISMATCH", clause, name, note, (event.event_id,))


def steps(record: BlackjackRecord) -> Iterator[Step]:
    """Each hand with its cards, in the order they are played."""
    drawn: dict[str, list[str]] = {}
    for move in record.moves:
        if move.card or move.decision:
            drawn.setdefault(move.hand, []).append(move.event_id)
    for seat, player in sorted(record.seats.holders.items(), key=lambda at: clockwise(at[0])):
        if not record.table.of(seat):
            text = say("SA-BJ.seat_without_hand", seat=seat, player=player)
            yield Step(text, ("SA-BJ:3.3.2",))
    for held in _hands(record):
        evidence = tuple(drawn.get(held.name, ()))
        text = say("SA-BJ.hand", hand=held.name, parts=tuple(_parts(held)))
        yield Step(text, _clauses(held), evidence)
    dealer = record.table.hands.get(game.DEALER)
    if dealer:
        state = dealers(record) if record.dealer_done else UNFINISHED
        text = say("SA-BJ.dealers_hand", cards=_codes(dealer.cards), state=WORDS.get(state, state))
        yield Step(text, ("SA-BJ:3.4.5",), tuple(drawn.get(game.DEALER, ())))


def _hands(record: BlackjackRecord) -> list[Played]:
    """Every player's hand, clockwise."""
    seats = sorted({name.partition(".")[0] for name in record.table.hands} - {game.DEALER},
                   key=clockwise)  # fmt: skip
    return [held for seat in seats for held in record.table.of(seat)]


def _right(record: BlackjackRecord, name: str) -> tuple[str, ...]:
    """The words that are right for a hand; none where it has no result."""
    if name == game.DEALER:
        return (dealers(record),) if record.dealer_done else ()
    held = record.table.hands.get(name)
    if held is None or held.short or held.stuck:
        return ()
    if not held.decided and not record.dealer_done:
        return (_state(held),)
    fact = game.fact(held.hand, record.table.dealer, record.readings)
    return tuple(dict.fromkeys((game.RESULT[fact], _state(held))))


def _state(held: Played) -> str:
    if held.hand.surrendered:
        return "surrender"
    return game.told(held.cards, blackjack=game.has_blackjack(held.hand))


def _parts(held: Played) -> Iterator[Sentence]:
    """The cards of a hand and what they came to, and what is odd about it."""
    cards, state = _codes(held.cards), _state(held)
    state_word = WORDS.get(state, state)
    if held.hand.doubled:
        yield say("SA-BJ.cards_doubled", cards=cards, state=state_word)
    else:
        yield say("SA-BJ.cards", cards=cards, state=state_word)
    if held.surplus:
        yield say("SA-BJ.surplus", cards=_codes(held.surplus))
    if held.stuck:
        yield say("SA-BJ.left_open_stuck")
    elif held.short:
        yield say("SA-BJ.left_open_short")


def _codes(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))


def _clauses(held: Played) -> tuple[str, ...]:
    split = ("SA-BJ:3.5.3",) if held.hand.split else ()
    blackjack = ("SA-BJ:3.2.2",) if game.total(held.cards) == 21 and len(held.cards) == 2 else ()
    return ("SA-BJ:3.2.1", *split, *blackjack)
