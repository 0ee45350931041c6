"""What became of a mutant, decided without knowing the rules of its game.

The honest day is the reference: it settles every wager rightly and raises no finding.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from audit.checks.run import CheckFinding
from replay.tables.rows import Rows
from schemas import events as e
from tests.mutants import attacker
from tests.mutants.mutant import Mutant
from tests.support import flag_page

NOTE = frozenset(flag_page.listed(flag_page.NOTES))
NOTE_WHERE_FOLLOWED = frozenset(flag_page.listed(flag_page.UNLESS))

HARMLESS = "harmless"  # what was settled is what is due and what the honest day moved
FOLLOWS = "follows"  # money and record agree on another day, which may have been an honest one
FOUND = "found"  # something is told of the round, or the door refused a reading
SILENT = (
    "silent"  # money moved that should not have, or a rule was broken, and no word on the round
)
FALSE = "false"  # somebody is accused for certain of what nobody did
BROKEN = "broken"  # the house could not judge the day
OTHER = "settled for other chips than were read"
TWICE = "settled for twice the chips that were read"
CLASSES = (HARMLESS, FOLLOWS, FOUND, SILENT, FALSE, BROKEN)


class Verdict(NamedTuple):
    """The class of a mutant and, in words, why."""

    mutant: Mutant
    kind: str
    why: tuple[str, ...]
    findings: tuple[CheckFinding, ...] = ()


class Wrong(NamedTuple):
    """Something that somebody should have spoken about, and its round."""

    round_id: str
    why: str


def verdict(mutant: Mutant, rows: Rows, findings: Sequence[CheckFinding]) -> Verdict:
    """The class of a mutant by what was derived and told of it.

    An accusation for certain is false where only the way in changed; where a device said what any
    honest one may say and the money is the honest day's; and where nothing was changed and nothing
    is wrong in any of the rounds that it is about.
    """
    told = tuple(findings)
    honest, changed = mutant.known.rows, mutant.changed
    wrong = tuple(_wrong(mutant, rows, honest))
    same = attacker.settled(rows) == attacker.settled(honest)
    concerned = _concerned(mutant, rows, told)
    accusing = [at for at in concerned if at.severity == "S1" and at.certain]
    its_own = attacker.statuses(rows).keys() - set(mutant.honest.rounds)
    at_fault = changed | its_own | {at.round_id for at in wrong}
    harmless = same and not any(_mispaid(rows))
    false = [
        at
        for at in accusing
        if mutant.way == "carried" or (mutant.innocent and harmless) or not concerned[at] & at_fault
    ]
    if false:
        return Verdict(mutant, FALSE, _checks(false), told)
    rounds = set[str]().union(*concerned.values())
    if mutant.refused:
        rounds |= changed
    untold = tuple(dict.fromkeys(at.why for at in wrong if at.round_id not in rounds))
    if untold:
        return Verdict(mutant, SILENT, untold, told)
    if (
        mutant.refused
        or any(at.round_id in rounds for at in wrong)
        or rounds & (mutant.reached(changed) | its_own)
    ):
        return Verdict(mutant, FOUND, _checks(told) or mutant.refused, told)
    return Verdict(mutant, HARMLESS if same else FOLLOWS, (), told)


def _concerned(
    mutant: Mutant, rows: Rows, findings: Sequence[CheckFinding]
) -> dict[CheckFinding, frozenset[str]]:
    """The rounds that each finding is about.

    They are the one it names, those of its evidence ("" is between rounds), and one whose wager it
    names: a payment for the wager of another round is told once. A finding that names no round is
    about all between its first evidence and its last; without evidence it is about the whole day.
    """
    owner = {at["event_id"]: at["round_id"] or "" for at in attacker.named("events", rows)}
    owners, places = list(owner.values()), {event_id: n for n, event_id in enumerate(owner)}
    known = {name for name in owners if name}
    found = {}
    for at in findings:
        told = f"{at.subject} {at.found}"
        seen = sorted(places[event_id] for event_id in at.evidence if event_id in places)
        named = {name for name in known if name in told} | {owners[n] for n in seen}
        if at.round_id is not None:
            named.add(at.round_id)
        elif seen:  # two counts of the tray are about what lies between
            named.update(owners[seen[0] : seen[-1]])
        found[at] = frozenset(named or mutant.honest.rounds)
    return found


def _wrong(mutant: Mutant, rows: Rows, honest: Rows) -> Iterator[Wrong]:
    """Reasons why somebody should have spoken."""
    yield from _mispaid(rows)
    yield from _without_line(rows)
    yield from _flagged(rows, honest)
    if mutant.way == "fitted":
        yield from _late(mutant, rows, honest)
        yield from _sensed(mutant, rows, honest)


def _mispaid(rows: Rows) -> Iterator[Wrong]:
    owed, seen = attacker.owed(rows), attacker.settled(rows)
    for key in sorted(owed.keys() | seen.keys()):
        due, paid = owed.get(key, attacker.NOTHING), seen.get(key)
        if paid is None:
            if any(due[:4]):
                yield Wrong(key[0], "due and not settled")
        elif paid != due and key not in _open(rows):
            yield Wrong(key[0], "settled otherwise than due")


def _open(rows: Rows) -> set[tuple[str, str]]:
    """Wagers that stay where they lie."""
    dues = attacker.named("dues", rows)
    return {(str(at["round_id"]), str(at["wager_id"])) for at in dues if at["outcome"] == "open"}


def _without_line(rows: Rows) -> Iterator[Wrong]:
    """Wagers of the record of which the rules say nothing."""
    lines = {(at["round_id"], at["wager_id"]) for at in attacker.named("dues", rows)}
    unknown = {name for name, status in attacker.statuses(rows).items() if status == "unknown"}
    for wager in attacker.named("wagers", rows):
        if (wager["round_id"], wager["wager_id"]) not in lines and wager["round_id"] not in unknown:
            yield Wrong(wager["round_id"], "wager without a line")


def _flagged(rows: Rows, honest: Rows) -> Iterator[Wrong]:
    """Flags that the honest day has not, and that are no notes."""
    before = {(at["round_id"], at["code"]) for at in attacker.named("flags", honest)}
    followed = {
        at["round_id"]
        for at in attacker.named("rounds", rows)
        if at["status"] == at["recorded_status"]
    }
    for flag in attacker.named("flags", rows):
        code, round_id = flag["code"], flag["round_id"]
        fine = code in NOTE or (code in NOTE_WHERE_FOLLOWED and round_id in followed)
        if not fine and (round_id, code) not in before:
            yield Wrong(round_id, f"flag {code}")


def _late(mutant: Mutant, rows: Rows, honest: Rows) -> Iterator[Wrong]:
    """Wagers touched after no more bets that moved other money than in the honest day."""
    now, before = _by_wager(rows), _by_wager(honest)
    for wager_id in sorted(mutant.late):
        if _net(now.get(wager_id)) != _net(before.get(wager_id)):
            yield Wrong(_round_of(wager_id, mutant), "late bet counted")


def _sensed(mutant: Mutant, rows: Rows, honest: Rows) -> Iterator[Wrong]:
    """Wagers settled for other chips than the sensor read, where the honest day agreed."""
    before, now = _last_read(mutant.honest.readings), _last_read(mutant.readings)
    stakes = {str(at["wager_id"]): at["stake"] for at in attacker.named("dues", honest)}
    rounds: dict[str, list[str]] = {}  # of each wager id
    for due in attacker.named("dues", rows):
        wager_id, round_id = str(due["wager_id"]), str(due["round_id"])
        its = rounds.setdefault(wager_id, [])
        if round_id not in its:
            its.append(round_id)
        read = now.get((wager_id, its.index(round_id)))
        agreed = wager_id in stakes and before.get((wager_id, 0)) == stakes[wager_id]
        if read is not None and agreed and due["stake"] != read and _counts(due):
            yield Wrong(due["round_id"], TWICE if due["stake"] == 2 * read else OTHER)


def _round_of(wager_id: str, mutant: Mutant) -> str:
    """The round in which a wager was touched."""
    names = [at for at in mutant.honest.rounds if wager_id.startswith(at)]
    return names[0] if names else ""


def _counts(due: Mapping[str, Any]) -> bool:
    return bool(due["paid"] or due["collected"])


def _last_read(readings: Sequence[e.Reading]) -> dict[tuple[str, int], int]:
    """What the sensor read last on each wager, while its chips still were the wager.

    An id that is placed again once it was settled is another wager: they are counted from 0.
    """
    found: dict[tuple[str, int], int] = {}
    count: dict[str, int] = {}
    over: set[str] = set()
    for reading in readings:
        match reading.payload:
            case e.WagerPlaced(wager_id=wager_id) if wager_id in over:
                over.remove(wager_id)
                count[wager_id] = count.get(wager_id, 0) + 1
            case e.WagerSettled(wager_id=wager_id):
                over.add(wager_id)
            case e.StakeRead(wager_id=wager_id, amount=amount) if wager_id not in over:
                found[wager_id, count.get(wager_id, 0)] = amount
    return found


def _by_wager(rows: Rows) -> dict[str, attacker.Money]:
    return {wager: money for (_, wager), money in attacker.settled(rows).items()}


def _net(money: attacker.Money | None) -> int:
    paid, _, collected, reserve, _ = money or attacker.NOTHING
    return paid - collected - reserve


def _checks(findings: Sequence[CheckFinding]) -> tuple[str, ...]:
    return tuple(sorted({at.check_id for at in findings}))
