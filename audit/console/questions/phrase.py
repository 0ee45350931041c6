"""What somebody types to find a round: "T01 21:40 seat 3 K♥ 500,000" as a question's fields.

Each word is told by its shape: a round or table that is on file, a time, a day, a card, an amount,
a player. Words of no known shape are named, so that nothing is passed over in silence.
"""

import re
from typing import NamedTuple

import duckdb

SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
CARD = re.compile(r"(10|[2-9TJQKA])([SHDC])", re.IGNORECASE)
CLOCK = re.compile(r"\d\d:\d\d(:\d\d)?")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
AMOUNT = re.compile(r"\d{1,3}([.,]\d{3})+|\d{4,15}")
NUMBER = re.compile(r"\d{1,2}")
SEAT = ("seat", "box", "ghế", "ô")
NUMBERED = ("number", "pocket", "total", "số", "tổng")
DEALER = ("dealer", "inspector")


class Phrase(NamedTuple):
    """What was understood, and the words that were not."""

    round: tuple[str, str] | None = None  # table and round, where one was named
    table: str = ""
    at: str = ""
    day: str = ""
    seat: str = ""
    player: str = ""
    amount: int | None = None
    card: str = ""
    number: int | None = None
    dealer: str = ""
    unknown: tuple[str, ...] = ()


def understood(db: duckdb.DuckDBPyConnection, text: str) -> Phrase:
    """The fields that a phrase names."""
    found, unknown, words = Phrase(), list[str](), text.split()
    while words:
        word = words.pop(0)
        bare = word.strip(",;")
        following = words[0].strip(",;") if words else ""
        if bare.lower() in SEAT and following:
            found = found._replace(seat=words.pop(0).strip(",;"))
        elif bare.lower() in NUMBERED and NUMBER.fullmatch(following):
            found = found._replace(number=int(words.pop(0).strip(",;")))
        elif bare.lower() in DEALER and following:
            found = found._replace(dealer=words.pop(0).strip(",;"))
        else:
            shaped = _shaped(db, found, bare)
            if shaped is None:
                unknown.append(word)
            else:
                found = shaped
    return found._replace(unknown=tuple(unknown))


def _shaped(db: duckdb.DuckDBPyConnection, found: Phrase, word: str) -> Phrase | None:
    plain = "".join(SUITS.get(letter, letter) for letter in word if letter != "\ufe0e")
    if card := CARD.fullmatch(plain):
        rank = "T" if card[1] == "10" else card[1].upper()
        return found._replace(card=rank + card[2].upper())
    if CLOCK.fullmatch(word):
        return found._replace(at=word)
    if DAY.fullmatch(word):
        return found._replace(day=word)
    if AMOUNT.fullmatch(word):
        return found._replace(amount=int(re.sub("[.,]", "", word)))
    return _on_file(db, found, word)


def _on_file(db: duckdb.DuckDBPyConnection, found: Phrase, word: str) -> Phrase | None:
    """A word that is the id of something: a round, a table, a player or a dealer."""
    for sql, make in (
        (
            "select table_id, round_id from rounds where round_id = $1 order by all limit 1",
            lambda row: found._replace(round=row, table=row[0]),
        ),
        (
            "select table_id from table_days where lower(table_id) = lower($1) limit 1",
            lambda row: found._replace(table=row[0]),
        ),
        (
            "select player_id from wagers where lower(player_id) = lower($1) limit 1",
            lambda row: found._replace(player=row[0]),
        ),
        (
            "select dealer_id from rounds where lower(dealer_id) = lower($1) limit 1",
            lambda row: found._replace(dealer=row[0]),
        ),
    ):
        row = db.execute(sql, [word]).fetchone()
        if row:
            return make(row)  # type: ignore[no-untyped-call]  # one of the lambdas above
    return None
