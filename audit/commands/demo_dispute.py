"""The dispute that ends the demo: raised on a finding, decided by section 8, packed and verified.

Every step is a command that a house would run, with the rank that may take it; nobody who was on
duty at the table decides. The times follow the round, so that the story is one of that evening.
"""

import contextlib
import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from audit.cases.case import Case
    from audit.checks.run import CheckFinding
    from replay.locate import LocatedRound
    from schemas import events as e

MINUTE = 60_000_000  # microseconds
INSPECTOR, MANAGER = ("DI-1", "dealer_inspector"), ("PM-1", "pit_manager")
OPERATOR, CASHIER = ("OP-1", "surveillance_operator"), ("CC-1", "cage_cashier")
SHIFT = ("SM-1", "shift_manager")
STILLS = 32  # of the round's clip: one a second or so


class DemoPack(NamedTuple):
    """The pack of the dispute, and what its own verifier says of it."""

    path: Path
    verifier: Path
    said: str


def settled(home: Path, finding: "CheckFinding", pictures: Sequence[Path] = ()) -> "Case":
    """A dispute over a finding, from its raising to the player who is told (8.1 to 8.5)."""
    from audit.cases import case_log
    from replay.locate import locate

    found = locate(home, str(finding.round_id))
    at = max(event.occurred_at for event in found.judged.round.events)
    name = found.judged.round.round_id
    for n, (verb, person, words) in enumerate(_gathered(found, finding, pictures), 1):
        made = _step(home, verb, name, person, at + n * MINUTE, words)
        name = made["case"]
    case = case_log.load(home).named(name)
    for n, (verb, person, words) in enumerate(_resolved(case, finding), 20):
        _step(home, verb, name, person, at + n * MINUTE, words)
    return case_log.load(home).named(name)


def filmed(home: Path, finding: "CheckFinding") -> list[Path]:
    """A frame of the camera with all cards of the round; none where nothing can film the game.

    The round's clip stays in the house, so the console shows what the camera saw.
    """
    from audit.console.stills import FOLDER
    from vision.clips.build import clip
    from vision.synth import film as studio
    from vision.synth.days import NoFilm

    number = re.search(r"\d+$", str(finding.round_id))
    options = studio.FilmOptions(size=(960, 540), fps=4.0)
    rounds = frozenset({int(number[0])} if number else ())
    day, film = home / "simulated/readings.jsonl", home / "film"
    try:
        made = studio.film(day, finding.table_id, film, options, rounds=rounds)
    except NoFilm:
        return []
    folder = home / FOLDER / made.camera / str(finding.round_id)
    clip(film, folder, frames=(0, made.frames - 1), around=0, stills=STILLS)
    return [_fullest(film, studio.TRUTH)]


def packed(home: Path, case_id: str, zone: str) -> DemoPack:
    """The pack of the case, verified by its own verifier in a plain Python."""
    from audit.evidence.build import build
    from audit.evidence.gather import gather
    from audit.house import seal
    from ingest.disk import Disk
    from ingest.seal import keys

    keys.create(seal.key_folder(home), keys.HOUSE, "demo.example/log")
    seal.seal_now(home, time.time_ns() // 1_000)
    made = build(home, gather(home, case_id), ("en", "vi"), zone)
    path, verifier = home / f"{made.pack_id}.zip", home / "verify.py"
    Disk().create(path, made.body)
    Disk().create(verifier, made.files[verifier.name])
    command = [sys.executable, "-I", str(verifier), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return DemoPack(path, verifier, done.stdout or done.stderr)


Words = tuple[str, ...]
Step = tuple[str, tuple[str, str], Words]


def _gathered(
    found: "LocatedRound", finding: "CheckFinding", pictures: Sequence[Path]
) -> Iterator[Step]:
    """The claim, and everything that a decision rests on (8.1 to 8.4.7)."""
    round = found.judged.round
    player = _player(found, finding)
    wager = ("--wager", finding.subject) if player else ()
    amount = ("--amount", str(finding.player_minor)) if finding.player_minor else ()
    of_player = ("--player", player) if player else ()
    yield "open", INSPECTOR, (
        "--claim", finding.title, "--finding", finding.finding_id,
        *wager, *amount, *of_player,
    )  # fmt: skip
    answer = ("--answer", "The round stands as it was settled.", "--not-accepted")
    yield "say", INSPECTOR, answer
    yield "escalate", INSPECTOR, ("--to", MANAGER[0], "--to-rank", MANAGER[1])
    yield "inform", MANAGER, ("--to", OPERATOR[0], "--how", "phone")
    yield "promise", MANAGER, ("--within", "2h", "--language", "vi")
    dealer = round.staff.get("dealer", "dealer")
    account = ("--text", "I settled it as the result was called.", "--language", "en")
    yield "statement", MANAGER, ("--party", "house", "--by", dealer, *account)
    account = ("--text", f"I dispute it: {finding.title.lower()}.", "--language", "en")
    yield "statement", MANAGER, ("--party", "player", "--by", player or "P1", *account)
    for picture in pictures:
        source = f"overhead camera of {round.table_id} (simulated)"
        yield "add", OPERATOR, (str(picture), "--basis", "8.4.6", "--source", source)
    yield "recompute", OPERATOR, ()


def _resolved(case: "Case", finding: "CheckFinding") -> Iterator[Step]:
    """The decision by the posted terms, its payment, and the player told of it (8.4, 8.5)."""
    owed = [line for line in _posted(case) if line.correction_minor]
    clauses = () if owed else tuple(w for name in finding.clauses for w in ("--clause", name))
    yield "decide", MANAGER, (
        "--outcome", "upheld" if owed else "rejected", "--option", "as-posted",
        "--facts", f"The record shows: {finding.found}. By the rules: {finding.expected}.",
        "--reason", f"The posted terms and {', '.join(finding.clauses) or 'the rules'} decide it.",
        *clauses,
    )  # fmt: skip
    yield "confirm", SHIFT, ()
    if owed:
        yield "settle", CASHIER, ("--reference", "slip-1")
    agrees = "--agrees" if owed else "--disagrees"
    yield "tell", MANAGER, (agrees, "--right-told", "--language", "vi")


def _step(
    home: Path, verb: str, name: str, person: tuple[str, str], at: int, words: Words
) -> dict[str, Any]:
    """Run `roundproof case VERB` here, as this person at that time; what it prints as JSON."""
    from audit.cli import times

    who = ("--person", person[0], "--rank", person[1], "--at", times.told(at), "--json")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        _case_commands()(
            ["--home", str(home), "case", verb, name, *words, *who], standalone_mode=False
        )
    document: dict[str, Any] = json.loads(printed.getvalue())
    return document


@cache
def _case_commands() -> Callable[..., Any]:
    import typer

    from audit.cli.app import command_line

    return typer.main.get_command(command_line("case"))


def _player(found: "LocatedRound", finding: "CheckFinding") -> str:
    """Whose wager the finding is about; empty where it is about no wager."""
    owners = {due.wager_id: due.player_id for due in found.judged.dues}
    return owners.get(finding.subject, "")


def _posted(case: "Case") -> "list[e.OptionLine]":
    """What the posted terms owe on the disputed wagers."""
    from audit.cases.recompute import POSTED
    from schemas import events as e

    named = case.raised.wagers
    return [
        line
        for _, made in case.all(e.SettlementRecomputed)
        for option in made.options
        if option.option_id == POSTED
        for line in option.lines
        if not named or line.wager_id in named
    ]


def _fullest(film: Path, truth: str) -> Path:
    """The middle one of the sharp frames with the most cards or dice."""
    lines = (film / truth).read_text("utf-8").splitlines()
    sharp = [row for row in map(json.loads, lines) if not row["spoilt"]]
    most = max(len(row["cards"]) for row in sharp)
    full = [row["frame"] for row in sharp if len(row["cards"]) == most]
    return film / f"{full[len(full) // 2]:06}.jpg"
