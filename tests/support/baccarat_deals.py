"""Baccarat deals as shoe, camera and dealer read them, each reading set one by one."""

from schemas import events as e
from tests.support import houses
from tests.support.houses import Said

HANDS = ("player", "banker", "player", "banker")
LAWFUL = ("9H", "KS", "QD", "7C")  # a natural nine


def day(*rounds: list[e.Payload], decks: int = 8) -> list[Said]:
    """A baccarat table-day of these rounds, from one shoe."""
    begun: list[Said] = [
        (e.TableOpened(houses.DAY), None),
        (e.TermsPosted("TB", "VND"), None),
        (e.ShoeLoaded("S1", decks), None),
    ]
    return begun + [
        (payload, f"R{n}") for n, round in enumerate(rounds, 1) for payload in whole(round)
    ]


def whole(round: list[e.Payload]) -> list[e.Payload]:
    """A deal with a wager before it, from the round's opening to its closing."""
    wager = e.WagerPlaced("W1", "P1", "player", 500_000)
    return [e.RoundOpened(), wager, e.BettingClosed(), *round, e.RoundClosed()]


def deal(
    *changes: str, cards: tuple[str, ...] = LAWFUL, start: int = 1, sure: float = 0.98
) -> list[e.Payload]:
    """A deal that shoe and camera read; a change is a card's number, a witness and its reading."""
    changed = {(int(n), witness): reading for n, witness, reading in map(str.split, changes)}
    payloads: list[e.Payload] = []
    for n, (hand, code) in enumerate(zip(HANDS, cards, strict=True), 1):
        slot = (n + 1) // 2
        read = changed.get((n, "shoe"), code)
        payloads.append(e.CardDrawn(start + n - 1, hand, None if read == "none" else read))
        seen, *probability = changed.get((n, "camera"), code).split("@")
        if seen != "none":
            guess = e.Guess(seen, float(probability[0]) if probability else sure)
            payloads.append(e.CardsObserved(hand, slot, (guess,)))
        if (n, "dealer") in changed:
            payloads.append(e.CardPlaced(hand, slot, changed[n, "dealer"]))
    return payloads
