"""One mutant whole: what was changed, what is due, what was paid, what is told."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from audit.cli import screen
from replay.tables.dictionary import dictionary
from schemas import events as e
from tests.mutants import attacker, house
from tests.mutants.mutant import Mutant
from tests.mutants.run import verdicts
from tests.mutants.tally import Job

AROUND = 2  # equal readings shown before and after a change


def show(code: str, seed: str, number: int) -> None:
    """Print a mutant."""
    (found,) = verdicts(Job(code, seed, (number,)))
    made = found.mutant
    screen.say(f"{made.name}: {found.kind} ({'; '.join(found.why) or 'nothing to say'})")
    screen.say(f"{made.kind}: {'; '.join(made.did)}")
    for why in made.refused:
        screen.say(f"refused at the door: {why}")
    screen.say("\nreadings, - honest and + mutant:")
    for line in changed(made):
        screen.say(line)
    rows = house.derive(made.readings)
    screen.say("\nrounds:")
    for round in attacker.named("rounds", rows):
        words = ("round_id", "recorded_status", "status", "outcome", "result", "unknown_params")
        screen.say("  " + "  ".join(f"{word} {round[word]!r}" for word in words))
    owed, seen = attacker.owed(rows), attacker.settled(rows)
    screen.say("\nmoney (paid, commission, collected, reserve taken, returned):")
    for key in sorted(owed.keys() | seen.keys()):
        due, paid = owed.get(key), seen.get(key)
        sign = "  " if due == paid else "! "
        screen.say(f"{sign}{key[1]}: due {due}, seen {paid}")
    screen.say("\nflags:")
    for flag in attacker.named("flags", rows):
        screen.say("  " + "  ".join(str(flag[at.name]) for at in dictionary()["flags"].stored[3:]))
    screen.say("\nfindings:")
    for finding in found.findings:
        sure = "certain" if finding.certain else "possible"
        screen.say(
            f"  {finding.check_id} {finding.severity} {sure} {finding.round_id} "
            f"{finding.subject}: {finding.expected} | {finding.found}"
        )


def changed(made: Mutant) -> Iterator[str]:
    """The readings around every change, honest and mutant."""
    before = [told(reading) for reading in made.honest.readings]
    after = [told(reading) for reading in made.readings]
    for tag, a, b, c, d in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if tag == "equal":
            part = before[a:b]
            if len(part) > 2 * AROUND:
                part = [*part[:AROUND], "…", *part[-AROUND:]]
            yield from (f"    {line}" for line in part)
        else:
            yield from (f"  - {line}" for line in before[a:b])
            yield from (f"  + {line}" for line in after[c:d])


def told(reading: e.Reading) -> str:
    """A reading without its numbers and times."""
    return f"{reading.device_kind:8} {reading.round_id or '-'} {reading.payload}"
