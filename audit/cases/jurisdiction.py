"""The duties of a jurisdiction, read from jurisdictions.toml."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

HOUSE = "house"


class UnknownJurisdiction(LookupError):
    """No jurisdiction of that name."""


class NoticeDuty(NamedTuple):
    """A notice that an authority must get when a dispute over this much stays unpaid (R14)."""

    name: str
    authority: str
    source: str
    amount: int  # minor units
    currency: str
    within_hours: int


class Jurisdiction(NamedTuple):
    """How long records stay, and what must be done by when (R2, R13, R14)."""

    code: str
    name: str
    source: str
    video_days: int
    case_video_days: int  # where a dispute hangs on it
    events_days: int
    case_days: int
    access_days: int
    inform_minutes: int
    warn_video_days: int
    filing_working_days: int | None = None  # None where no filing is asked for
    complaint_days: int | None = None  # None where no clock runs
    complaint_export: str = ""  # how often complaints are handed in; empty where they are not
    notices: tuple[NoticeDuty, ...] = ()

    @property
    def retention_days(self) -> Mapping[str, int]:
        """The days that each class of records stays, unless a hold keeps it longer."""
        return {
            "video": self.case_video_days,
            "events": self.events_days,
            "case": self.case_days,
            "access": self.access_days,
        }


@cache
def jurisdictions() -> Mapping[str, Jurisdiction]:
    """Every jurisdiction by code."""
    text = (files("audit.cases") / "jurisdictions.toml").read_text("utf-8")
    raw = tomllib.loads(text)
    house = raw.pop(HOUSE)
    return {code: _parsed(code, {**house, **own}) for code, own in sorted(raw.items())}


def of(code: str) -> Jurisdiction:
    """The jurisdiction of a code; UnknownJurisdiction where there is none."""
    known = jurisdictions()
    if code not in known:
        found = f"jurisdiction {code!r}: one of {', '.join(known)} expected"
        raise UnknownJurisdiction(found)
    return known[code]


def _parsed(code: str, raw: Mapping[str, Any]) -> Jurisdiction:
    rows = {**raw}
    notices = tuple(NoticeDuty(**duty) for duty in rows.pop("notice", ()))
    rows.setdefault("case_video_days", rows["video_days"])
    return Jurisdiction(code=code, notices=notices, **rows)
