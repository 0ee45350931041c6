"""`roundproof vision film` and `join`: films of a simulated day, and their readings in it."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import screen
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson, Force

if TYPE_CHECKING:
    from vision.synth.film import FinishedFilm

app = typer.Typer()
SMALLEST, LARGEST = 320, 7680  # pixels of a picture's longer side


@app.command("film")
def film(
    day: Annotated[Path, typer.Argument(help="Readings that roundproof simulate wrote.")],
    table: Annotated[str, typer.Option(help="The table to film.")],
    out: Annotated[Path, typer.Option(help="Folder for the frames.")] = Path("film"),
    rounds: Annotated[
        str,
        typer.Option(metavar="FROM-TO,…", help="Only these rounds, such as 3-5,9. [default: all]"),
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same bytes.")] = 1,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels.")] = "1920x1080",
    fps: Annotated[float, typer.Option(min=4, max=60, help="Frames a second.")] = 5.0,
    deck: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="52 pictures, 9H.png. [default: drawn]")
    ] = None,
    video: Annotated[bool, typer.Option("--video", help="One film in H.264 (PyAV).")] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Film a table of a simulated day: what its camera sees, with the truth about every frame.

    \b
    Examples:
        roundproof vision film day/readings.jsonl --table T01
        roundproof vision film day/readings.jsonl --table T01 --rounds 3-5 --out film --video
        roundproof vision film day/readings.jsonl --table S01 --size 1280x720 --seed 7

    The readings of the simulated camera say what lay on the table. vision watch reads the film, and
    vision join puts those readings into the day in place of the simulated ones.
    """
    from vision.sources.folders import LIST
    from vision.synth import film as studio
    from vision.synth.reels import FILM

    for name in (LIST, FILM):
        if (out / name).exists() and not force:
            raise _usage(f"{out / name} is there already: choose another --out, or give --force")
    options = studio.FilmOptions(seed, _size(size), fps, video, deck)
    with ExitStack() as open_:

        def begin(total: int) -> "screen.Advance":
            return open_.enter_context(screen.progress("film", total, "frames"))

        with _refusals():
            made = studio.film(day, table, out, options, rounds=_rounds(rounds), begin=begin)
    _say(made, table, out, as_json=as_json)


@app.command("join")
def join(
    day: Annotated[Path, typer.Argument(help="A day of readings.")],
    cameras: Annotated[list[Path], typer.Argument(help="What vision watch --out wrote.")],
    out: Annotated[Path, typer.Option(help="File of JSON lines.")],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Put the readings of cameras into a day, in the order of arrival.

    \b
    Example:
        roundproof vision join film/readings_without_camera.jsonl camera.jsonl --out seen.jsonl
    """
    from schemas import codec
    from vision.synth import days

    if out.exists() and not force:
        raise _usage(f"{out} is there already: choose another --out, or give --force")
    count = 0
    with _refusals(), out.open("w", encoding="utf-8") as lines:
        for reading in days.together(day, cameras):
            lines.write(codec.dump_line(reading) + "\n")
            count += 1
    if as_json:
        screen.say_json({"readings": count, "out": str(out)})
    else:
        screen.say_line(f"{count:,} readings, written to {out}")
    screen.hint(f"next: roundproof ingest file {out}")


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn what cannot be filmed into an error with its next step."""
    from vision.synth.days import NoFilm
    from vision.synth.reels import NoEncoder

    try:
        yield
    except NoFilm as error:
        step = "roundproof simulate makes such a day; its games with cards or dice have cameras"
        raise Stopped(str(error), step, Code.NOT_FOUND) from error
    except NoEncoder as error:
        step = "install roundproof[video], or leave out --video"
        raise Stopped(str(error), step, Code.USAGE) from error


def _say(made: "FinishedFilm", table: str, out: Path, *, as_json: bool) -> None:
    start = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=made.start_us)).isoformat()
    if as_json:
        document = made._asdict() | {"source": str(made.source), "start": start}
        screen.say_json(document)
        return
    screen.say_line(
        f"{made.rounds:,} rounds of {made.game}: {made.frames:,} frames in {made.source}"
    )
    if made.beside:
        screen.hint(
            f"{made.beside} cards lay outside all zones of the layout and are not in the film"
        )
    begun = f" --start {start}" if made.source != out else ""
    screen.hint(
        f"next: roundproof vision watch {made.source} --layout {made.game} --felt {out}/felt.json "
        f"--table {table}{begun} --out {out}/camera.jsonl"
    )


def _rounds(text: str) -> frozenset[int] | None:
    """The requested round numbers; None for all."""
    found = frozenset[int]()
    for part in filter(None, text.split(",")):
        ends = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part)
        if ends is None or int(ends[2] or ends[1]) < int(ends[1]):
            raise _usage(f"--rounds {text}: numbers such as 3-5,9 expected")
        found |= frozenset(range(int(ends[1]), int(ends[2] or ends[1]) + 1))
    return found or None


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    sides = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (SMALLEST <= max(sides) <= LARGEST) or min(sides) < 180 or sides[0] % 2 or sides[1] % 2:
        expected = f"even numbers such as 1280x720, up to {LARGEST}, expected"
        raise _usage(f"--size {text}: {expected}")
    return sides


def _usage(what: str) -> Stopped:
    return Stopped(what, "roundproof vision film --help shows examples", Code.USAGE)
