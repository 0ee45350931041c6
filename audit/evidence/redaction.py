"""What the edition for one party withholds: other players' ids and amounts, and texts with them.

An event that names another player is withheld whole: its bytes, its times, its number at the
device. Whoever knew all of it but an id and an amount could try them one by one against its hash.
Its row keeps what everybody at the table saw, such as the bet; every other field is replaced by a
salted commitment, which the full edition opens: the salt is made of the event's own bytes.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from audit.evidence import canonical_json
from replay.ruled import Step
from replay.sentence import Sentence
from replay.words.catalogue import wordings
from schemas import events as e

SALT = b"roundproof/field"
# Fields of a withheld event that this edition shows: what everybody at the table saw.
PUBLIC = frozenset({"type", "wager_id", "bet", "box", "hand", "decision", "clause", "rank"})
OF_THE_HOUSE = (e.TrayCounted,)  # amounts that would betray the sum of all stakes
AMOUNTS = ("amount", "signed")  # kinds of values in a sentence that are money
FIGURES = re.compile(r"\d[.,]\d{3}")  # money in a text that has no sentence yet


class Redaction(NamedTuple):
    """What a party may not see; nothing where there is no party."""

    party: str = ""
    players: frozenset[str] = frozenset()  # the other players at the table
    wagers: frozenset[str] = frozenset()  # their wagers

    def hides(self, payload: object) -> bool:
        """Whether an event or a step of a case names another player, his wager or his money."""
        if not self.party:
            return False
        return isinstance(payload, OF_THE_HOUSE) or self.names_other(_texts(payload))

    def names_other(self, texts: Iterable[str]) -> bool:
        """Whether a text names another player or a wager of his."""
        if not self.party:
            return False
        pattern = _pattern(self.players | self.wagers)
        return any(pattern.search(text) for text in texts)

    def hides_step(self, step: Step) -> bool:
        """Whether a step of the derivation tells of another player, or of the sum of all stakes."""
        if not self.party or (step.wager_id and step.wager_id not in self.wagers):
            return False
        if step.wager_id or self.names_other(_texts(step.text)):
            return True
        if isinstance(step.text, Sentence):
            fields = wordings("en")[step.text.key].fields
            return any(kind in AMOUNTS for _, kind, _ in fields)
        return bool(FIGURES.search(step.text))

    def hides_finding(self, texts: Iterable[str], *, own: bool) -> bool:
        """Whether a finding tells of another player, or of money that is not the party's own."""
        texts = tuple(texts)
        if not self.party:
            return False
        return self.names_other(texts) or not (own or not any(map(FIGURES.search, texts)))


@cache
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Any of these names, where it stands alone."""
    any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)"
    return re.compile(rf"(?<![\w-])(?:{any_name})(?![\w-])")


def redaction(party: str, events: Iterable[e.Event]) -> Redaction:
    """What the edition for a party withholds, by the wagers and seats of these events."""
    if not party:
        return Redaction()
    players, wagers = set[str](), set[str]()
    for event in events:
        player = getattr(event.payload, "player_id", party)
        if player and player != party:
            players.add(player)
            if isinstance(event.payload, e.WagerPlaced):
                wagers.add(event.payload.wager_id)
    return Redaction(party, frozenset(players), frozenset(wagers))


def commitment(body: bytes, path: str, value: Any) -> str:
    """The salted commitment of a value of an event, in hex."""
    nonce = hashlib.sha256(SALT + body + path.encode()).digest()
    return hashlib.sha256(nonce + canonical_json.dumps(value)).hexdigest()


def withheld(body: bytes, payload: Mapping[str, Any], path: str = "payload") -> dict[str, Any]:
    """The payload of a withheld event: what everybody saw, and commitments of the rest."""
    return {
        name: value if name in PUBLIC else {"commitment": commitment(body, f"{path}.{name}", value)}
        for name, value in payload.items()
    }


def _texts(value: object) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _texts(key)
            yield from _texts(part)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _texts(part)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _texts(getattr(value, name))
