"""`roundproof vision calibrate`: where the felt lies in a camera's picture."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import camera_errors, screen
from audit.cli.errors import Code, Stopped
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from vision.felt.transform import FeltMark
    from vision.types import Image, Point

app = typer.Typer()
STILL = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


@app.command("calibrate")
def calibrate(
    source: Annotated[str, typer.Argument(help="A picture of the empty felt, a film or a stream.")],
    out: Annotated[Path, typer.Option(help="File of the calibration.")] = Path("felt.json"),
    mark: Annotated[
        list[str] | None,
        typer.Option(metavar="PX,PY=MMX,MMY", help="Pixels and millimetres; four or more."),
    ] = None,
    marks: Annotated[
        Path | None, typer.Option(help="A file of marks, one a line, written as --mark is.")
    ] = None,
    marker: Annotated[
        list[str] | None,
        typer.Option(metavar="N=MMX,MMY", help="A printed marker and where its middle lies."),
    ] = None,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Accept a felt too plain to notice a moved camera.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Calibrate a camera to its felt, from four or more marks.

    \b
    Examples:
        roundproof vision calibrate empty.jpg --marks marks.txt --out T01.json
        roundproof vision calibrate empty.jpg --mark 212,180=0,0 --mark 1710,170=1200,0 \\
            --mark 1820,900=1200,700 --mark 100,920=0,700
        roundproof vision calibrate rtsp://camera-1/ --marker 0=0,0 --marker 1=1200,0 \\
            --marker 2=1200,700 --marker 3=0,700

    Millimetres run to the right and down as seen from above, the dealer at the top. Eight marks
    or more also correct a bent lens. The file keeps the print of the felt, so that vision watch
    notices when the camera is moved or covered. roundproof vision markers draws markers to print.
    """
    from vision.felt import calibration, view_check
    from vision.felt import transform as felt
    from vision.felt.calibration import Calibration

    image = _picture(source)
    size = image.shape[1], image.shape[0]
    lines = [*(("", each) for each in mark or ()), *(_lines(marks) if marks else ())]
    given = [_mark(line, where, size) for where, line in lines]
    given += _markers(image, marker or ())
    found = felt.fit(given, size)
    try:
        known = view_check.felt_print(image, found)
    except view_check.PlainFelt:
        if not unchecked:
            raise
        known = None
    calibration.save(Calibration(found, known), out)
    errors = found.errors_mm
    if as_json:
        checked = 0 if known is None else len(known.places)
        document = {"bend": found.bend, "errors_mm": list(errors), "patches": checked}
        screen.say_json(document | {"file": str(out)})
        return
    screen.say_line(f"{len(given)} marks, {max(errors):.1f} mm off at most; written to {out}")
    if found.bend:
        screen.say(f"the lens bends by {100 * found.bend:.0f} % at the corners")
    if len(given) == 4:
        screen.hint("four marks always fit; give a fifth, and a wrong mark is noticed")
    if known is None:
        screen.hint("the felt has too little print: a moved camera will not be noticed")
    screen.hint(f"next: roundproof vision watch SOURCE --layout CODE --felt {out} --table T01")


@app.command("markers")
def markers(
    out: Annotated[Path, typer.Argument(help="PNG, JPEG or WebP file to print.")],
    count: Annotated[int, typer.Option(min=4, max=50, help="How many.")] = 4,
    as_json: AsJson = False,
) -> None:
    """Draw markers to print, cut out and lay on the felt for a calibration.

    Example: roundproof vision markers markers.png
    """
    from vision.clips.save_image import write
    from vision.felt import markers as printed

    write(out, printed.sheet(count))
    if as_json:
        screen.say_json({"markers": count, "out": str(out)})
        return
    screen.say_line(f"{count} markers, numbers 0 to {count - 1}, written to {out}")


def _picture(source: str) -> "Image":
    """One picture of the felt: a picture file, or the first frame of anything else."""
    from vision.sources.frames import frames
    from vision.sources.pictures import picture

    with camera_errors.refusals():
        if Path(source).suffix.lower() in STILL:
            return picture(Path(source))
        row = frames(source, last=0)
        try:
            return next(row).image
        finally:
            getattr(row, "close", lambda: None)()


def _mark(line: str, where: str, size: tuple[int, int]) -> "FeltMark":
    """Parse a mark; `where` names its file and line."""
    from vision.felt.transform import FeltMark

    words = f"{where}mark {line!r}"
    seen, _, felt = line.partition("=")
    made = FeltMark(_point(seen, words), _point(felt, words))
    (x, y), (width, height) = made.picture, size
    if not (0 <= x <= width and 0 <= y <= height):
        expected = f"a pixel of the picture, {width} x {height}, expected"
        raise _usage(f"{words}: {expected}, {seen.strip()} found")
    return made


def _markers(image: "Image", lines: Sequence[str]) -> list["FeltMark"]:
    from vision.felt import markers as printed

    known: dict[int, Point] = {}
    for line in lines:
        number, _, felt = line.partition("=")
        if not number.strip().isdigit() or int(number) not in printed.NUMBERS:
            raise _usage(f"--marker {line}: a number from 0 to 49 expected")
        known[int(number)] = _point(felt, f"marker {line!r}")
    return printed.marks(image, known) if known else []


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The marks of a file without comments, each with its file and line."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise _usage(f"{path}: lines such as 212,180=0,0 expected, no text found") from error
    for number, line in enumerate(text.splitlines(), 1):
        if plain := line.split("#", maxsplit=1)[0].strip():
            yield f"{path} line {number}: ", plain


def _point(text: str, words: str) -> "Point":
    try:
        x, y = (float(number) for number in text.split(","))
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise _usage(f"{words}: two numbers on each side of = expected")
    return x, y


def _usage(what: str) -> Stopped:
    return Stopped(what, "roundproof vision calibrate --help shows how marks are given", Code.USAGE)
