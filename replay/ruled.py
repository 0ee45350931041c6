"""What the rules say of a round: the words that every game's rulings share, and no judgement."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from replay.sentence import Prose
from replay.wagers import Wager
from replay.witnesses import Rebuilt
from schemas import events as e

Memory = Mapping[str, Any]  # what a game carries from one round to the next; plain JSON values
Kinds = tuple[type[e.Payload], ...]
Carried = Mapping[str, type[Any]]  # the keys of a game's memory, each with the kind of its value
# What a game keeps until no more bets although it shows nothing of the outcome yet.
Waits = Kinds


class Flag(NamedTuple):
    """An audit code of the game's specification, with its clause and what it concerns."""

    code: str
    clause: str
    subject: str = ""  # a wager, a clause or a reading; empty for the round itself
    note: Prose = ""


class Step(NamedTuple):
    """One step of a derivation: a sentence, its clauses, the events it was read from."""

    text: Prose
    clauses: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()  # event ids
    wager_id: str = ""  # empty for a step of the whole round


class Part(NamedTuple):
    """One layout bet of a wager that is several, such as a call bet."""

    position: str
    action: Fraction


class Stand(NamedTuple):
    """One wager as the rulings leave it, before the paytable speaks."""

    wager: Wager
    action: Fraction  # the exact part of the stake that is settled
    # Empty: the paytable decides; else returned, refused, void, open, win_refused, stands.
    fate: str = ""
    clauses: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    facts: frozenset[str] = frozenset()  # facts of this wager alone, such as its own box's hand
    parts: tuple[Part, ...] = ()  # layout bets it consists of, each settled and rounded alone
    recorded: e.WagerSettled | None = None  # with `stands`: the settlement that is left alone
    shares: str = ""  # the limit it shares with other wagers: they are rounded as one


class Ruled(NamedTuple):
    """A round after its rulings: what the paytable needs, what the auditor reads."""

    status: str  # settled, void, free_hand, unsettled or unknown
    outcome: str  # the result for people, such as B 7-5; empty where there is none
    facts: frozenset[str]
    stands: tuple[Stand, ...]
    flags: tuple[Flag, ...] = ()
    steps: tuple[Step, ...] = ()
    memory: Memory = {}  # noqa: RUF012  (a constant, never written)
    clauses: tuple[str, ...] = ()  # why the status is what it is
    result: str = ""  # the result as one word, comparable with what was called
    pay_order: tuple[str, ...] = ()  # winning wagers in the order the rules pay them
    readings: Mapping[str, str] = {}
    # Whether the table acted on what no reading tells, and the rules would say otherwise with it.
    unseen: bool = False
    # Draws to the place where a reconstruction put their cards; empty where there was none.
    rebuilt: Rebuilt = {}  # noqa: RUF012  (a constant, never written)
