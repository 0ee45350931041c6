"""The catalogue: every check with its header, read from audit/checks."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from audit.checks import triggers
from audit.cli.errors import Code, Stopped

SEVERITIES = ("S1", "S2", "S3", "S4")
SPOKEN = {
    "S1": "stop and hold payment now",
    "S2": "review before the next shoe or spin block",
    "S3": "daily exception list",
    "S4": "trend",
}
LIVE = ("round", "table-day", "no")  # what the live service runs a check on
TRIGGERS = {"round": tuple(triggers.OF_ROUND), "table-day": triggers.OF_TABLE_DAY, "no": ()}
FIELDS = ("check", "title", "severity", "live", "clauses", "why", "benign")

_LINE = re.compile(r"^-- (\w+): +(.*)$")
_MORE = re.compile(r"^-- {3,}(.*)$")


class BadCheck(ValueError):
    """A check's file whose header is not what a check needs."""


class Check(NamedTuple):
    """One query that looks for one thing, and why."""

    check_id: str
    title: str
    severity: str
    live: str  # one of LIVE
    triggers: tuple[str, ...]  # any of which lets the live service run it
    clauses: tuple[str, ...]
    why: str
    benign: str
    budget: str  # how often chance alone gives one, for a check of chance; else empty
    unseen: str  # what it could not have seen; empty where nobody said it
    sql: str  # the query without its header

    @property
    def family(self) -> str:
        """The part of the id before its number."""
        return self.check_id.partition("-")[0]

    @property
    def mode(self) -> str:
        """Whether the live service runs it, or only a batch run does."""
        return "daily" if self.live == "no" else "live"


@cache
def checks() -> Mapping[str, Check]:
    """Every check by id, in the order of their ids."""
    folder = files("audit.checks")
    names = sorted(file.name for file in folder.iterdir() if _is_check(file.name))
    read = (parse(name, (folder / name).read_text("utf-8")) for name in names)
    return {check.check_id: check for check in read}


@cache
def elsewhere() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """What is no query: `held` by something else, or `open`; id to title and reason."""
    text = (files("audit.checks") / "elsewhere.toml").read_text("utf-8")
    return {
        heading: {name: (title, " ".join(why.split())) for name, (title, why) in entries.items()}
        for heading, entries in tomllib.loads(text).items()
    }


def _is_check(name: str) -> bool:
    """Whether a file is a check: it is named by its id in capitals, unlike views.sql."""
    return name.endswith(".sql") and name[0].isupper()


def chosen(ids: Iterable[str]) -> tuple[Check, ...]:
    """The checks of these ids, or all of them where none is named."""
    known = checks()
    wanted = [name.upper() for name in ids]
    for name in wanted:
        if name not in known:
            near = [check for check in known if check.startswith(name.partition("-")[0])]
            what = f"check {name!r}: one of {', '.join(near or known)} expected"
            raise Stopped(what, "roundproof checks lists every check", Code.NOT_FOUND)
    return tuple(known[name] for name in dict.fromkeys(wanted or known))


def parse(name: str, text: str) -> Check:
    """The check a file holds; BadCheck says what its header lacks."""
    header, body = _split(text)
    for field in FIELDS:
        if not header.get(field):
            raise BadCheck(f"{name}: a line `-- {field}:` expected in the header, none found")
    if name != f"{header['check']}.sql":
        raise BadCheck(f"{name}: check {name.removesuffix('.sql')} expected, {header['check']!r}")
    for field, allowed in (("severity", SEVERITIES), ("live", LIVE)):
        if header[field] not in allowed:
            raise BadCheck(f"{name}: {field} {', '.join(allowed)} expected, {header[field]!r}")
    return Check(
        check_id=header["check"],
        title=header["title"],
        severity=header["severity"],
        live=header["live"],
        triggers=_triggers(name, header["live"], header.get("trigger", "")),
        clauses=_listed(header["clauses"]),
        why=header["why"],
        benign=header["benign"],
        budget=header.get("budget", ""),
        unseen=header.get("unseen", ""),
        sql=body,
    )


def _triggers(name: str, live: str, text: str) -> tuple[str, ...]:
    """The triggers of a header; BadCheck where one is missing, unknown or of no use."""
    found = _listed(text)
    if live == "no" and found:
        raise BadCheck(f"{name}: no line `-- trigger:` expected with `-- live: no`, {text!r}")
    if live != "no" and not found:
        raise BadCheck(f"{name}: a line `-- trigger:` expected in the header, none found")
    for trigger in found:
        if trigger not in TRIGGERS[live]:
            allowed = ", ".join(TRIGGERS[live])
            raise BadCheck(f"{name}: trigger {trigger!r} found, one of {allowed} expected")
    return found


def _listed(text: str) -> tuple[str, ...]:
    return tuple(re.split(r", *", text)) if text else ()


def _split(text: str) -> tuple[dict[str, str], str]:
    header: dict[str, str] = {}
    lines, field = text.splitlines(), ""
    for n, line in enumerate(lines):
        if found := _LINE.match(line):
            field, header[found[1]] = found[1], found[2].strip()
        elif field and (more := _MORE.match(line)):
            header[field] += " " + more[1].strip()
        else:
            return header, "\n".join(lines[n:]).strip() + "\n"
    return header, ""
