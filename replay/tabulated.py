"""Rules over small domains: live replay calls them, bulk replay looks them up.

`@tabulated(POCKETS)` leaves a rule as it is and remembers what it can be asked. The table is made
from the rule itself, once for each posted reading, so both lanes have one truth:

    facts(17)               calls the rule
    facts.table()[17]       looks it up
"""

from collections.abc import Callable, Hashable, Sequence
from functools import update_wrapper
from itertools import product
from typing import Any, Generic, ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Found = TypeVar("Found")


class Tabulated(Generic[Asked, Found]):
    """A rule with the domain of each of its first arguments; those that follow are readings."""

    def __init__(
        self, rule: Callable[Asked, Found], domains: tuple[Sequence[Hashable], ...]
    ) -> None:
        self.rule, self.domains = rule, domains
        self._tables: dict[tuple[Any, ...], tuple[Found, ...]] = {}
        update_wrapper(self, rule)

    def __call__(self, *args: Asked.args, **named: Asked.kwargs) -> Found:
        """What the rule says."""
        return self.rule(*args, **named)

    def table(self, *readings: Hashable) -> tuple[Found, ...]:
        """What the rule says of everything in its domains, the last of them running fastest."""
        if readings not in self._tables:
            rule: Callable[..., Found] = self.rule
            asked = product(*self.domains)
            self._tables[readings] = tuple(rule(*args, *readings) for args in asked)
        return self._tables[readings]


def tabulated(
    *domains: Sequence[Hashable],
) -> Callable[[Callable[Asked, Found]], Tabulated[Asked, Found]]:
    """Mark a rule as one that bulk replay tabulates over these domains."""

    def mark(rule: Callable[Asked, Found]) -> Tabulated[Asked, Found]:
        return Tabulated(rule, domains)

    return mark
