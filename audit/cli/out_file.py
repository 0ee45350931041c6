"""Where a command may write its result."""

from pathlib import Path

from audit.cli.errors import Code, Stopped


def must_be_free(out: Path, home: Path, *, force: bool) -> None:
    """Refuse to write into the home folder, or over an existing file without --force."""
    place, house = out.resolve(), home.resolve()
    if place.is_relative_to(house):
        what = f"{out} lies in the home folder {home}, whose files are evidence"
        raise Stopped(what, "name a file outside it with --out", Code.NOT_ALLOWED)
    if place.is_file() and not force:
        step = "choose another file with --out, or overwrite it with --force"
        raise Stopped(f"{out} exists already", step, Code.USAGE)
