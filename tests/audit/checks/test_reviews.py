"""What people make of findings: who may do what and when, in a stream that shows changes."""

from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest

from audit.cases.rules import Actor
from audit.checks import case_rows, reviews
from audit.checks.reviews import FindingLife, ReviewRefused
from ingest.log import LogCorrupt
from replay.tables import dictionary
from tests.support.tables import cases

NOON = 1_772_395_200_000_000  # UTC microseconds
STAFF = ("D1", "I1", "M1")
PEOPLE = {
    "V1": "surveillance_operator",
    "V2": "surveillance_director",
    "M1": "pit_manager",
    "M2": "pit_manager",
    "D2": "dealer",
    "I2": "dealer_inspector",
}


class SomeFinding(NamedTuple):
    """A finding of a round with known staff."""

    finding_id: str = "PAY-01-0123456789"
    table_id: str = "T1"
    state: str = "new"


def done(home: Path, who: str, verb: str, finding: SomeFinding = SomeFinding()) -> FindingLife:  # noqa: B008
    actor = Actor(who, PEOPLE[who])
    to = "V2" if verb == "assign" else ""
    asked = reviews.asked_of(finding, actor, verb, NOON, reason="seen", to=to)
    return reviews.review(home, finding, STAFF, asked)


def told(home: Path, story: str) -> FindingLife:
    """A story of `person verb`, with commas between them."""
    life = FindingLife()
    for word in story.split(", "):
        who, verb = word.split()
        life = done(home, who, verb)
    return life


@pytest.mark.parametrize(
    ("story", "state", "owner"),
    cases("""
        V1 ack                                             | acknowledged | V1 | taken note of
        V1 ack, V1 assign                                  | in_review    | V2 | given to somebody
        V1 explain                                         | explained    |    | explained at once
        V1 ack, M2 confirm                                 | confirmed    | V1 | confirmed
        V1 ack, V2 false, V2 close                         | closed       | V1 | false and closed
        V1 explain, V2 close, V1 reopen                    | new          |    | opened again
        V1 explain, V1 reopen, V1 ack, V2 confirm          | confirmed    | V1 | judged anew
        I2 ack                                             | acknowledged | I2 | by an inspector
    """),
)
def test_a_finding_has_a_life(tmp_path: Path, story: str, state: str, owner: str) -> None:
    life = told(tmp_path, story)

    assert (life.state, life.owner) == (state, owner)
    assert reviews.load(tmp_path).life(SomeFinding().finding_id) == life


@pytest.mark.parametrize(
    ("before", "act", "said"),
    cases("""
               | D2 ack     | dealer inspector and above    | a dealer takes no note
               | I2 explain | pit manager and above         | an inspector judges nothing
               | M1 explain | M1 was on duty in this round  | nobody judges their own round
        V1 ack | M1 false   | M1 was on duty in this round  | nor marks it as false
        V1 explain | M1 close | M1 was on duty in this round | nor closes it
               | V1 close   | before it closes, it is new   | no judgement yet
        V1 ack | V2 ack     | a new finding expected        | taken note of already
               | V1 reopen  | cleared expected, it is new   | it is open
        V1 explain, V2 close | V1 confirm | reopen it       | it is closed
    """),
)
def test_what_may_not_be_done_is_refused(tmp_path: Path, before: str, act: str, said: str) -> None:
    if before:
        told(tmp_path, before)
    count = len(reviews.load(tmp_path).made)
    with pytest.raises(ReviewRefused, match=said):
        told(tmp_path, act)

    assert len(reviews.load(tmp_path).made) == count


def test_a_judgement_needs_a_reason_and_an_assignment_a_person(tmp_path: Path) -> None:
    finding, actor = SomeFinding(), Actor("V1", "surveillance_operator")
    for verb, said in (("explain", "a reason expected"), ("assign", "nobody found")):
        asked = reviews.asked_of(finding, actor, verb, NOON)
        with pytest.raises(ReviewRefused, match=said):
            reviews.review(tmp_path, finding, (), asked)


def test_a_finding_that_the_checks_withdrew_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(ReviewRefused, match="the checks withdrew it"):
        done(tmp_path, "V1", "ack", SomeFinding(state="gone"))


def test_a_changed_review_is_seen_and_only_its_table_stops(tmp_path: Path) -> None:
    told(tmp_path, "V1 ack, V2 explain")
    done(tmp_path, "V1", "ack", SomeFinding("PAY-01-other", "T2"))
    (segment,) = (tmp_path / "log" / "reviews" / "T1").glob("*.avro")
    body = bytearray(segment.read_bytes())
    body[-3] ^= 1
    segment.write_bytes(body)
    book = reviews.load(tmp_path)

    assert list(book.damaged) == ["T1"]
    assert [made.table_id for made in book.made] == ["T2"]
    with pytest.raises(LogCorrupt):
        done(tmp_path, "V2", "close")


def test_the_table_says_what_the_stream_says(tmp_path: Path) -> None:
    told(tmp_path, "V1 ack, V1 assign, V2 explain")
    with duckdb.connect(":memory:") as connection:
        connection.execute(dictionary.sql())
        case_rows.lend(connection, tmp_path)
        rows = connection.execute(
            "select number, verb, state, person_id, assignee_id from finding_reviews order by all"
        ).fetchall()

    assert rows == [
        (1, "ack", "acknowledged", "V1", ""),
        (2, "assign", "in_review", "V1", "V2"),
        (3, "explain", "explained", "V2", ""),
    ]
