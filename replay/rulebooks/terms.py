"""The terms a round is played by: what the table posted, over what the edition says."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.rulebooks.edition import Edition
from schemas import events as e


class Terms(NamedTuple):
    """Everything posted, with nothing left open."""

    game: str
    paytable: str
    currency: str
    limits: Mapping[str, e.Limit]
    differential: int | None
    decks: int
    rounding: str
    readings: Mapping[str, str]
    printed: Mapping[str, str] = {}  # how the edition itself reads its issues; never written

    def limit(self, position: str) -> e.Limit | None:
        """The limit on a position: its own, else its kind's, else none."""
        return self.limits.get(position) or self.limits.get(position.split(":", maxsplit=1)[0])


class NotedReadings(Mapping[str, str]):
    """Readings that note which of them somebody looks at; a copy looks at all."""

    def __init__(self, readings: Mapping[str, str], asked: set[str]) -> None:
        self._readings, self._asked = readings, asked

    def __getitem__(self, name: str) -> str:
        self._asked.add(name)
        return self._readings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readings)

    def __len__(self) -> int:
        return len(self._readings)


class BadTerms(ValueError):
    """Posted terms that the edition does not know."""


def resolve(posted: e.TermsPosted, edition: Edition, legal: Callable[[str], bool]) -> Terms:
    """The posted terms with the edition's defaults filled in; `legal` knows the layout's places."""
    paytable = posted.paytable or edition.paytable
    if paytable not in edition.paytables:
        known = ", ".join(sorted(edition.paytables))
        raise BadTerms(f"rulebook {edition.code}: paytable {known} expected, {paytable!r} found")
    for name, reading in posted.readings.items():
        issue = edition.issues.get(name)
        if issue is None:
            known = ", ".join(sorted(edition.issues)) or "none"
            raise BadTerms(f"rulebook {edition.code}: reading of {known} expected, {name!r} found")
        if not issue.allows(reading):
            known = ", ".join((issue.reading, *issue.alternatives))
            known += f" or the form {issue.form}" if issue.form else ""
            raise BadTerms(
                f"rulebook {edition.code}: {name} as {known} expected, {reading!r} found"
            )
    _check_limits(posted.limits, edition, legal)
    defaults = {name: issue.reading for name, issue in edition.issues.items()}
    return Terms(
        game=posted.game,
        paytable=paytable,
        currency=posted.currency,
        limits={limit.bet: limit for limit in posted.limits},
        differential=posted.differential,
        decks=posted.decks or edition.decks,
        rounding=posted.rounding or edition.rounding,
        readings=defaults | dict(posted.readings),
        printed=defaults,
    )


def _check_limits(
    limits: Sequence[e.Limit], edition: Edition, legal: Callable[[str], bool]
) -> None:
    """A limit that no wager can ever meet was meant for another one."""
    known: set[str] = set()
    for limit in limits:
        wanted, found = "", ""
        if not _offered(limit.bet, edition, legal):
            wanted, found = f"a limit for one of {', '.join(edition.bets)}", repr(limit.bet)
        elif limit.minimum > limit.maximum:
            wanted = "a minimum up to the maximum"
            found = f"{limit.minimum} to {limit.maximum} for {limit.bet}"
        elif limit.bet in known:
            wanted, found = "one limit a bet", f"two limits for {limit.bet}"
        if wanted:
            raise BadTerms(f"rulebook {edition.code}: {wanted} expected, {found} found")
        known.add(limit.bet)


def _offered(bet: str, edition: Edition, legal: Callable[[str], bool]) -> bool:
    return bet in edition.bets or legal(bet)
