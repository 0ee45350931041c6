"""What readers know already is not told to them again, and what they do not is."""

from collections.abc import Sequence

import pytest

from audit.checks.run import CheckFinding
from audit.watch.published import RAISED, WITHDRAWN, PublishedFinding, PublishedFindings
from tests.support.tables import cases


def finding(found: str) -> CheckFinding:
    values = dict.fromkeys(CheckFinding._fields, "")
    return CheckFinding(**(values | {"finding_id": "F1", "found": found}))  # type: ignore[arg-type]


def entries(text: str) -> list[PublishedFinding]:
    """`50:a 60:-` is: raised as a of what came at 50, withdrawn at 60."""
    found: list[PublishedFinding] = []
    for version, word in enumerate(text.split(), 1):
        at, _, said = word.partition(":")
        state = WITHDRAWN if said == "-" else RAISED
        shown = finding(found[-1].finding.found if said == "-" else said)
        found.append(PublishedFinding(shown, version, state, int(at)))
    return found


def said(found: Sequence[PublishedFinding]) -> str:
    words = (f"{each.version}:{'-' if each.state == WITHDRAWN else each.finding.found}"
             for each in found)  # fmt: skip
    return " ".join(words)


@pytest.mark.parametrize(
    ("published", "seen", "told"),
    cases("""
                  | 50:a 60:-     | 1:a 2:-  | nobody told before
        50:a 60:- | 50:a 60:-     |          | raised and withdrawn as before
        50:a 50:- | 50:a 50:-     |          | both of one moment
        50:a 60:- | 90:-          |          | seen only after it was gone
        50:a 60:- | 55:-          |          | gone a little earlier than it was told
        50:a 60:- | 50:b 60:-     |          | once otherwise, and gone as the topic says
        50:a 60:b | 50:-          |          | others came further than this
        50:a      | 40:- 50:a     |          | not there yet
        50:a      | 50:b          | 2:b      | otherwise than it was told
        50:a      | 60:-          | 2:-      | nobody took it back
        50:a 60:- | 60:- 90:a     | 3:a      | there again
        50:a 60:- | 90:a          | 3:a      | there again, and never seen before
        50:a      | 50:-!         | 2:-      | it does not hold when all of that moment is there
        50:a 50:- | 50:-!         |          | nor did it hold when it was told
    """),
)
def test_a_moment_judged_again(published: str, seen: str, told: str) -> None:
    published_findings, found = (
        PublishedFindings(later=entries(published)),
        list[PublishedFinding](),
    )

    for word in seen.split():
        at, _, what = word.rstrip("!").partition(":")
        now = [] if what == "-" else [finding(what)]
        found += published_findings.changes(now, lambda _: True, int(at), last=word.endswith("!"))

    assert said(found) == told


def test_what_was_told_of_the_past_is_known_at_once() -> None:
    (raised,) = entries("50:a")
    published_findings = PublishedFindings({"F1": raised})

    assert said(list(published_findings.changes([], lambda _: True, 50))) == "2:-"


def test_what_others_tell_meanwhile_is_waited_for() -> None:
    published_findings = PublishedFindings()
    mine = list(published_findings.changes([finding("a")], lambda _: True, 50))

    published_findings.learn([*mine, *entries("50:a 60:-")[1:]])

    assert said(list(published_findings.changes([], lambda _: True, 60))) == ""
