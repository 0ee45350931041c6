"""Cards of usual rounds in columns: drawn from one shoe in its order, seen alike by the camera."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from replay.bulk.frame import Column
from replay.bulk.results import shown_by
from replay.bulk.usual import Usual, no_colour_chips, no_reserve, nothing_else_before
from replay.rulings.shared import shoe_procedure
from replay.witnesses import CERTAIN
from schemas import events as e
from schemas.cards import DECK, Card

CODE = {str(card): code for code, card in enumerate(DECK)}
NO_CARD = -1
NEW_SHOE = (e.ShoeRemoved, e.CardsShuffled, e.ShoeLoaded, e.CardsBurned)  # before its first round
SOURCES = ("dealer", "board", "shoe")  # of a called result
SLOTS = 64  # no hand of any game has so many cards


class Dealt(NamedTuple):
    """The cards of each round in the order they left the shoe."""

    round: Column  # of each draw
    nth: Column  # its place in its round, from 0
    hand: Column  # code of its hand among the names asked for
    card: Column  # code into DECK
    cards: Column  # how many each round has

    def laid(self, rounds: int, places: int) -> Column:
        """A row of cards a round, up to `places` of them; NO_CARD where there is none."""
        rows = np.full((rounds, places), NO_CARD)
        fits = self.nth < places
        rows[self.round[fits], self.nth[fits]] = self.card[fits]
        return rows


def dealt(usual: Usual, hands: Sequence[str], decks: int) -> Dealt:
    """The cards drawn; leaves rounds where a witness disagrees or a card is missing or too many."""
    frame, drawn = usual.frame, usual.frame.of(e.CardDrawn)
    card = frame.coded("card", CODE, NO_CARD)[drawn["card"]]
    hand = frame.coded("hand", {name: n for n, name in enumerate(hands)})[drawn["hand"]]
    usual.leave("a card that nobody read", drawn.round[card == NO_CARD])
    usual.leave("a card for no hand", drawn.round[hand < 0])
    usual.leave("more copies than the decks hold", drawn.round[drawn["copies"] > decks])
    follows = np.diff(drawn["position"]) == 1
    own = drawn.round[1:] == drawn.round[:-1]
    usual.leave("a gap in the shoe", drawn.round[1:][own & ~follows])
    count = frame.count(e.CardDrawn)
    first = np.cumsum(count) - count
    nth = np.arange(len(drawn)) - first[drawn.round]
    _seen_alike(usual, hands, hand, card)
    return Dealt(drawn.round, nth, hand, card, count)


def _seen_alike(usual: Usual, hands: Sequence[str], hand: Column, card: Column) -> None:
    """The camera is sure, and saw at each place the card that the shoe gave it."""
    frame, drawn, seen = usual.frame, usual.frame.of(e.CardDrawn), usual.frame.of(e.CardsObserved)
    lies = np.full((len(frame), len(hands), SLOTS), NO_CARD)
    for n in range(len(hands)):
        rows = np.flatnonzero(hand == n)
        round = drawn.round[rows]
        held = np.bincount(round, minlength=len(frame))
        slot = np.arange(len(rows)) - (np.cumsum(held) - held)[round]
        fits = slot < SLOTS
        lies[round[fits], n, slot[fits]] = card[rows[fits]]
    zone = frame.coded("hand", {name: n for n, name in enumerate(hands)})[seen["zone"]]
    slot = np.where((seen["slot"] >= 1) & (seen["slot"] <= SLOTS), seen["slot"] - 1, SLOTS - 1)
    there = frame.coded("card", CODE, NO_CARD)[seen["seen"]]
    alike = (zone >= 0) & (there != NO_CARD) & (lies[seen.round, zone, slot] == there)
    usual.leave("a camera that saw another card", seen.round[~alike])
    usual.leave("an unsure camera", seen.round[seen["probability"] < CERTAIN])


def from_one_shoe(usual: Usual, decks: int) -> None:
    """Leave rounds without a shoe, or with one that is at its end or not as it should be."""
    _plain_bets(usual, NEW_SHOE)
    _own_cut_card(usual)
    shoe = usual.frame.shoe
    usual.leave("no shoe", shoe["decks"] == 0)
    _new_shoe(usual, decks)
    usual.leave("a shoe at its end, or not in order", shoe["marks"] != 0)
    full = shoe["out"] + usual.frame.count(e.CardDrawn) > decks * len(DECK)
    misread = (shoe["out"] > 0) & (shoe["out"] < shoe["read"])
    usual.leave("another count of cards", full | misread)


def _new_shoe(usual: Usual, decks: int) -> None:
    """Leave rounds whose new shoe was not loaded and burned once, as its first card asks."""
    frame, shoe = usual.frame, usual.frame.shoe
    new = shoe["rounds"] == 0
    burned = frame.ahead(e.CardsBurned)
    owed = [shoe_procedure.owed(word) if word else 0 for word in frame.words.get("first_card", ())]
    other = burned["count"] != np.array(owed, np.int64)[burned["first_card"]]
    usual.leave("another burn of the shoe", burned.round[other])
    for kind in (e.ShoeLoaded, e.CardsBurned):
        times = np.bincount(frame.ahead(kind).round, minlength=len(frame))
        usual.leave("a shoe changed or burned in another way", times != new)
    usual.leave("a shoe of other decks", new & (shoe["decks"] != decks))
    known = np.unique(shoe["id"], return_index=True)[1]
    again = new.copy()
    again[known] = False
    usual.leave("a shoe that was there before", again)


def _own_cut_card(usual: Usual) -> None:
    """Leave rounds in which the cut card of another shoe came out."""
    cut = usual.frame.of(e.CutCardReached)
    usual.leave("another cut card", cut.round[cut["shoe_id"] != usual.frame.shoe["id"][cut.round]])


def from_fresh_deck(usual: Usual) -> None:
    """Leave rounds that were not dealt from one deck, shuffled since the round before."""
    frame = usual.frame
    _plain_bets(usual, (e.CardsShuffled,))
    shuffled = np.bincount(frame.ahead(e.CardsShuffled).round, minlength=len(frame)) > 0
    usual.leave("a shoe", frame.shoe["decks"] != 0)
    usual.leave("a deck that was not shuffled", ~shuffled)


def _plain_bets(usual: Usual, before: Sequence[type[e.Payload]]) -> None:
    """Leave rounds with bets or calls that card games have no rule for, or after other events."""
    no_colour_chips(usual)
    no_reserve(usual)
    nothing_else_before(usual, before)
    shown_by(usual, SOURCES)


def held(codes: Sequence[int]) -> tuple[Card, ...]:
    """Cards by their codes, without the places where there is none."""
    return tuple(DECK[code] for code in codes if code != NO_CARD)
