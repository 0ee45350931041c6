"""`roundproof vision clip`: the frames behind an observation as evidence."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit import pictures, screen, times
from audit.errors import Code, Stopped

if TYPE_CHECKING:
    from vision.frames import Frame
    from vision.watch import Seen

app = typer.Typer()
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]


@app.command("clip")
def clip(
    source: Annotated[Path, typer.Argument(help="A film or a folder of pictures.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="A folder of its own.")],
    frames: Annotated[
        str, typer.Option(metavar="FIRST-LAST", help="Frames by number, such as 120-140 or 120.")
    ] = "",
    at: Annotated[
        str, typer.Option(metavar="TIME", help="The moment, such as 2026-03-01T20:00:07Z.")
    ] = "",
    seconds: Annotated[float, typer.Option(min=0, help="Around --at, on both sides.")] = 2.0,
    around: Annotated[int, typer.Option(min=0, help="Frames of film before and after.")] = 25,
    stills: Annotated[int, typer.Option(min=1, help="Single pictures, at most.")] = 8,
    layout: Annotated[
        str, typer.Option(metavar="CODE|FILE", help="Read and draw what this game has.")
    ] = "",
    start: Annotated[str, typer.Option(metavar="TIME", help="When a film began.")] = "",
    as_json: AsJson = False,
) -> None:
    """Keep the frames behind an observation: untouched, and beside them with what was seen.

    \b
    Examples:
        roundproof vision clip table.mp4 --frames 120-140 --layout TB --out evidence/T01-120
        roundproof vision clip frames/ --at 2026-03-01T20:00:07Z --seconds 1 --out evidence/T01

    The original bytes are kept where the source has them; clip.json tells every time and hash.
    """
    from vision.clips import clip as cut

    if bool(frames) == bool(at):
        step = "roundproof vision clip --help shows examples"
        raise Stopped("either --frames or --at expected", step, Code.USAGE)
    numbers = _numbers(frames) if frames else None
    moment, reach = times.microseconds(at, "--at"), round(seconds * 1_000_000)
    with pictures.refusals():
        made = cut(
            source,
            out,
            frames=numbers,
            span_us=None if numbers else (moment - reach, moment + reach),
            around=around,
            stills=stills,
            look=_look(layout) if layout else None,
            start_at_us=times.microseconds(start, "--start"),
        )
    if as_json:
        screen.say_json(made.record)
    else:
        screen.say(f"{len(list(made.folder.iterdir())):,} files in {made.folder}")
    screen.hint(f"next: roundproof vision verify {made.folder}")


@app.command("verify")
def verify(
    folder: Annotated[Path, typer.Argument(help="A folder that vision clip made.")],
    as_json: AsJson = False,
) -> None:
    """Verify that the files of a clip are those its record names.

    Example: roundproof vision verify evidence/T01-120
    """
    from vision.clips import differing

    with pictures.refusals():
        found = differing(folder)
    if as_json:
        screen.say_json({"folder": str(folder), "differing": found})
    elif not found:
        screen.say(f"{folder}: every file is what its record says")
    if found:
        what = f"{folder}: {', '.join(found)} differ from the record"
        raise Stopped(what, "take the clip from its copy, or cut it again", Code.UNVERIFIED)


def _look(layout: str) -> "Callable[[Frame], Iterable[Seen]]":
    from vision import readers

    plan = pictures.layout_of(layout)
    reader = readers.reader(plan.reads, plan.faces)
    return lambda frame: reader.read(frame.image)


def _numbers(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    pair = first.strip(), (last or first).strip()
    if not all(number.isascii() and number.isdigit() for number in pair):
        step = "write them as 120-140, or one number"
        raise Stopped(f"--frames {text}: numbers of frames expected", step, Code.USAGE)
    return int(pair[0]), int(pair[1])
