"""What people make of findings: a stream of its own, and who may do what to a finding.

    new ── ack ── assign ── explain, confirm, false ── close
     └───────────────────── reopen ◄────────────────────┘

A step may be left out on the way to a judgement; closing needs one. Nobody judges or closes a
finding of a round that they dealt or supervised, nor of one whose staff the log does not say
(R20). Runs of the checks speak in the stream
`findings`, without a clock; people speak here, each record chained to the table's one before.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from audit.cases.rules import (
    OVERSIGHT,
    PIT,
    SURVEILLANCE,
    TABLE,
    Actor,
    UnmetNeed,
    who_may,
)
from ingest.local.log import LocalLog
from ingest.log import LogCorrupt, LogReader, is_id
from schemas import case_codec, codec, shape
from schemas.codec import UNREADABLE
from schemas.events import FindingReviewed

STREAM = "reviews"
CLAUSE = "8.4.4"  # internal control standards
NEW, CLOSED = "new", "closed"
STATE_AFTER: Mapping[str, str] = {
    "ack": "acknowledged",
    "assign": "in_review",
    "explain": "explained",
    "confirm": "confirmed",
    "false": "false",
    "close": CLOSED,
    "reopen": NEW,
}
JUDGED = ("explained", "confirmed", "false")
CLEARED = ("explained", "false", CLOSED)  # nobody needs to look any more
NOTES = (*TABLE, *SURVEILLANCE, "internal_auditor", *OVERSIGHT)
JUDGES = (*PIT, *SURVEILLANCE, "internal_auditor", *OVERSIGHT)
WITHOUT_REASON = ("ack", "assign")


class ReviewRefused(Exception):
    """Something that may not be done to a finding now, or not by this person."""

    def __init__(self, finding_id: str, verb: str, need: UnmetNeed) -> None:
        super().__init__(f"finding {finding_id}: {verb} is refused: {need.what}")
        self.need = need


class ReviewableFinding(Protocol):
    """What a review needs to know of a finding."""

    @property
    def finding_id(self) -> str: ...  # noqa: D102
    @property
    def table_id(self) -> str: ...  # noqa: D102
    @property
    def state(self) -> str: ...  # noqa: D102


class FindingLife(NamedTuple):
    """What became of one finding."""

    reviews: tuple[FindingReviewed, ...] = ()

    @property
    def state(self) -> str:
        """How far it is: new, acknowledged, in_review, explained, confirmed, false or closed."""
        return STATE_AFTER[self.reviews[-1].verb] if self.reviews else NEW

    @property
    def judgement(self) -> str:
        """The last judgement: explained, confirmed or false; empty where there is none."""
        for review in reversed(self.reviews):
            if STATE_AFTER[review.verb] in JUDGED:
                return STATE_AFTER[review.verb]
            if review.verb == "reopen":
                break
        return ""

    @property
    def owner(self) -> str:
        """Who looks into it: whoever it was assigned to, else whoever took note of it last."""
        for review in reversed(self.reviews):
            if review.verb == "reopen":
                return ""
            if review.verb in ("ack", "assign"):
                return review.assignee_id or review.person_id
        return ""


class ReviewBook(NamedTuple):
    """Every review of a house, and the tables whose reviews cannot be read."""

    lives: Mapping[str, FindingLife]
    made: tuple[FindingReviewed, ...] = ()
    heads: Mapping[str, bytes] = MappingProxyType({})
    damaged: Mapping[str, Exception] = MappingProxyType({})

    def life(self, finding_id: str) -> FindingLife:
        """What became of a finding."""
        return self.lives.get(finding_id, FindingLife())

    def precision(self, check_id: str) -> tuple[int, int]:
        """How many judged findings of a check were right, and how many were judged."""
        states = [
            life.judgement
            for name, life in self.lives.items()
            if name.rpartition("-")[0] == check_id and life.judgement
        ]
        return sum(state != "false" for state in states), len(states)

    @property
    def cleared(self) -> list[str]:
        """The findings that nobody needs to look at any more."""
        return [name for name, life in self.lives.items() if life.state in CLEARED]


def load(home: Path) -> ReviewBook:
    """Every review of a house."""
    return _load(LocalLog(home / "log"))


def review(
    home: Path,
    finding: ReviewableFinding,
    staff: Collection[str] | None,
    asked: FindingReviewed,
) -> FindingLife:
    """Append what somebody does to a finding; ReviewRefused where they may not.

    `staff` was on duty in the finding's round; None where nobody can say who was.
    """
    with LocalLog(home / "log", (STREAM,), waits=True) as log:
        book = _load(log)
        if finding.table_id in book.damaged:
            raise book.damaged[finding.table_id]
        life = book.life(finding.finding_id)
        need = next(refusals(finding, life, staff, asked), None)
        if need:
            raise ReviewRefused(finding.finding_id, asked.verb, need)
        made = _numbered(asked, len(life.reviews) + 1, book.heads.get(finding.table_id))
        log.append(STREAM, finding.table_id, [case_codec.encode(made)])
    return FindingLife((*life.reviews, made))


def asked_of(
    finding: ReviewableFinding, actor: Actor, verb: str, at: int, *, reason: str = "", to: str = ""
) -> FindingReviewed:
    """What somebody wants to do; `review` numbers and chains it. ReviewRefused for a bad value."""
    if to and not is_id(to):
        found = {"found": to[:64]}
        need = UnmetNeed(
            CLAUSE, "an id of letters, digits, . _ ~ - expected, %(found)s found", "", found
        )
        raise ReviewRefused(finding.finding_id, verb, need)
    return FindingReviewed(
        finding_id=finding.finding_id,
        table_id=finding.table_id,
        number=1,
        prev_hash=codec.NO_HASH,
        person_id=actor.person_id,
        rank=actor.rank,
        recorded_at=at,
        verb=verb,
        reason=reason[: shape.MAX_TEXT],
        assignee_id=to,
    )


def refusals(
    finding: ReviewableFinding,
    life: FindingLife,
    staff: Collection[str] | None,
    asked: FindingReviewed,
) -> Iterator[UnmetNeed]:
    """Why this person may not do this to the finding now; nothing where they may."""
    who = NOTES if asked.verb in WITHOUT_REASON else JUDGES
    if asked.rank not in who:
        found = {"who": who_may(who), "rank": asked.rank.replace("_", " ") or "no rank"}
        yield UnmetNeed(CLAUSE, "%(who)s expected, %(rank)s found", "", found)
    if finding.state == "gone":
        yield UnmetNeed(CLAUSE, "a finding that still holds expected, the checks withdrew it")
    if asked.verb not in WITHOUT_REASON and not asked.reason:
        yield UnmetNeed(CLAUSE, "a reason expected, nothing found")
    if asked.verb not in WITHOUT_REASON and staff is None:
        yield UnmetNeed(
            CLAUSE,
            "the finding's round in the log expected, which says who was on duty (R20), none found",
        )
    elif asked.verb not in WITHOUT_REASON and asked.person_id in (staff or ()):
        found = {"person": asked.person_id}
        yield UnmetNeed(
            CLAUSE, "somebody else expected, %(person)s was on duty in this round (R20)", "", found
        )
    yield from _out_of_order(life, asked)


def _out_of_order(life: FindingLife, asked: FindingReviewed) -> Iterator[UnmetNeed]:
    state = {"state": life.state.replace("_", " ")}
    if asked.verb == "assign" and not asked.assignee_id:
        yield UnmetNeed(CLAUSE, "the person who looks into it expected, nobody found")
    if asked.verb == "reopen" and life.state not in CLEARED:
        yield UnmetNeed(CLAUSE, "a finding that was cleared expected, it is %(state)s", "", state)
    elif asked.verb == "close" and life.state not in JUDGED:
        yield UnmetNeed(
            CLAUSE, "explained, confirmed or false expected before it closes, it is %(state)s", "",
            state,
        )  # fmt: skip
    elif asked.verb == "ack" and life.state != NEW:
        yield UnmetNeed(CLAUSE, "a new finding expected, it is %(state)s", "", state)
    elif asked.verb not in ("reopen", "close") and life.state == CLOSED:
        yield UnmetNeed(CLAUSE, "an open finding expected, it is closed: reopen it", "reopen")


def _numbered(asked: FindingReviewed, number: int, before: bytes | None) -> FindingReviewed:
    return replace(asked, number=number, prev_hash=before or codec.NO_HASH)


def _load(log: LogReader) -> ReviewBook:
    lives: dict[str, FindingLife] = {}
    heads: dict[str, bytes] = {}
    damaged: dict[str, Exception] = {}
    made: list[FindingReviewed] = []
    for table in log.partitions(STREAM):
        try:
            found = list(_reviews(log, table))
        except (LogCorrupt, OSError) as error:
            damaged[table] = error
            continue
        for head, review in found:
            heads[table] = head
            known = lives.get(review.finding_id, FindingLife())
            lives[review.finding_id] = FindingLife((*known.reviews, review))
        made += [review for _, review in found]
    return ReviewBook(lives, tuple(made), heads, damaged)


def _reviews(log: LogReader, table: str) -> Iterable[tuple[bytes, FindingReviewed]]:
    """A table's reviews, each with the hash of its bytes; LogCorrupt where the chain breaks."""
    before = codec.NO_HASH
    for record in log.read(STREAM, table):
        where = f"reviews of {table} offset {record.offset}"
        try:
            review = case_codec.decode_review(record.body, record.schema)
        except UNREADABLE as error:
            raise LogCorrupt(f"{where}: a review expected, {error!r} found") from error
        if (review.table_id, review.prev_hash) != (table, before):
            what = f"the review after {before.hex()[:8]}… expected, another found"
            raise LogCorrupt(f"{where}: {what}")
        before = hashlib.sha256(record.body).digest()
        yield before, review
