"""Blackjack: the rule issues whose reading a round rests on."""

from collections.abc import Iterable, Iterator, Sequence

from replay.games import blackjack as game
from replay.games.blackjack_hands import DRAWS, Played
from replay.ruling import Stand
from replay.rulings.betting_end import decided_by
from replay.rulings.blackjack.added import acted_before
from replay.rulings.blackjack.scene import Remark, Scene
from replay.rulings.blackjack.timing import first_card
from replay.wagers import Wager
from schemas.cards import Card

# Rule issues that are in question wherever one of these flags is raised.
BY_FLAG = {
    "insurance_amount": ("INSURANCE_AMOUNT",),
    "insurance_seats": ("INSURANCE_NOT_SEATED",),
    "unlawful_bets": (
        "TWO_SEATS", "SEATED_BET_BEHIND", "PAIR_BEFORE_MAIN", "INSURANCE_WITHOUT_ACE",
    ),
    "added_amount": ("ADDED_BET_AMOUNT",),
    "limits": ("OFF_LIMITS",),
    "double_after_split": ("DOUBLE_AFTER_SPLIT",),
    "unlawful_actions": (
        "SPLIT_UNEQUAL_VALUES", "DOUBLE_AFTER_SPLIT", "SURRENDER_REFUSED_UPCARD",
        "SURRENDER_AFTER_ACTION", "ACTION_NOT_OPEN",
    ),
    "irregular_cards": (
        "DEALER_OVERDREW", "CARD_AFTER_BUST", "CARD_AFTER_BLACKJACK", "CARD_AFTER_SURRENDER",
        "DOUBLE_CARDS", "SPLIT_ACE_CARDS", "CARD_AFTER_STAND", "AUTO_OVERDREW",
        "DEALER_STOPPED_EARLY", "AUTO_STOOD_EARLY", "CARD_WITHOUT_HIT", "HIT_WITHOUT_CARD",
    ),
}  # fmt: skip


def relied(scene: Scene, stands: Sequence[Stand], remarks: Iterable[Remark]) -> dict[str, str]:
    """How each issue was read that these amounts depend on."""
    codes = {at.code for at in remarks}
    named = {name for name, flags in BY_FLAG.items() if codes.intersection(flags)}
    named.update(_by_cards(scene, stands))
    return {name: scene.readings[name] for name in sorted(named)}


def _by_cards(scene: Scene, stands: Sequence[Stand]) -> Iterator[str]:
    hands = [held for name, held in scene.table.hands.items() if name != game.DEALER]
    if game.is_blackjack(scene.table.dealer):
        yield from _beaten(hands)
    for name, held in scene.table.hands.items():
        nobody = held.auto or (held.left and scene.concluded)
        if name != game.DEALER and nobody and _by_the_ace(held.cards):
            yield "timeout_ace"
    if any((at.code, at.clause) == ("ACTION_NOT_OPEN", DRAWS) for at in scene.table.faults):
        yield "late_actions"
    if decided_by(scene.round.events, first_card(scene.round.events)):
        yield "betting_ends"
    if any(held.hand.split and held.hand.doubled for held in hands):
        yield "double_after_split"
    for seat in scene.table.split_by:
        if _by_value_alone(scene.table.opening[seat]):
            yield "split_value"
    for stand in stands:
        yield from _by_wager(scene, stand)
    if (
        scene.concluded
        and game.dealer_draws(scene.table.dealer)
        and not any(held.live for held in hands)
    ):
        yield "dealer_plays_out"


def _beaten(hands: Iterable[Played]) -> Iterator[str]:
    """What a dealer blackjack leaves to be read."""
    for held in hands:
        hand = held.hand
        if (hand.second or hand.doubled) and not hand.surrendered:
            yield "busted_additions" if held.decided else "dealer_blackjack"
        if game.total(held.cards) == 21 and not game.has_blackjack(hand):
            yield "plain_21"


def _by_the_ace(cards: Sequence[Card]) -> bool:
    """Whether an Ace as 1 and as 11 part ways at any card after the second."""
    shorter = (cards[:n] for n in range(2, len(cards) + 1))
    return any(game.total(held) != game.lowest(held) for held in shorter)


def _by_wager(scene: Scene, stand: Stand) -> Iterator[str]:
    wager = stand.wager
    behind = scene.seats.holders.get(wager.box.partition(".")[0]) != wager.player_id
    if wager.bet == "insurance" and behind:
        yield "insurance_seats"
    if wager.bet == "insurance" and _between_seats(scene, wager):
        yield "insurance_time"
    if wager.bet == "pair":
        two = scene.table.opening.get(wager.box)
        if two and _by_value_alone(two):
            yield "pair"
        mains = {(at.player_id, at.box) for at in scene.wagers if at.bet == "main"}
        if behind and (wager.player_id, wager.box) not in mains:
            yield "pair_behind"


def _between_seats(scene: Scene, wager: Wager) -> bool:
    """Whether an insurance came after another seat had acted and before its own did."""
    acted = acted_before(scene, wager.event_id)
    return bool(acted) and wager.box not in acted


def _by_value_alone(two: Sequence[Card]) -> bool:
    return game.alike(two, "same_value") and not game.alike(two, "same_rank")
