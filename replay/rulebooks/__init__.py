"""The editions: one TOML file a rulebook, read once and kept."""

from functools import cache
from importlib.resources import files

from replay.rulebooks.edition import Edition, UnknownRulebook, parse


@cache
def editions() -> tuple[Edition, ...]:
    """Every edition of the house, by code and then by date."""
    folder = files("replay") / "rulebooks"
    texts = [f.read_text("utf-8") for f in folder.iterdir() if f.name.endswith(".toml")]
    return tuple(sorted(map(parse, texts), key=lambda edition: (edition.code, edition.effective)))


def codes() -> tuple[str, ...]:
    """The codes of all rulebooks."""
    return tuple(dict.fromkeys(edition.code for edition in editions()))


@cache
def in_force(code: str, day: str, number: str = "") -> Edition:
    """The edition a gaming day is judged by: the posted number, or the newest one by then."""
    known = [edition for edition in editions() if edition.code == code]
    if not known:
        raise UnknownRulebook(f"rulebook {code!r}: one of {', '.join(codes())} expected")
    if number:
        known = [edition for edition in known if edition.number == number]
        if not known:
            raise UnknownRulebook(f"rulebook {code}: no edition {number!r} is on file")
    effective = [edition for edition in known if edition.effective <= day]
    if not effective:
        start = f"{known[0].number} starts {known[0].effective}"
        raise UnknownRulebook(f"rulebook {code}: no edition in force on {day}, {start}")
    return effective[-1]
