"""What people see when something goes wrong: one line, the next step, an exit code."""

import errno
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import Any

from audit.cli import screen


class Code(IntEnum):
    """The exit codes of every command."""

    OK = 0
    UNEXPECTED = 1
    USAGE = 2
    NOT_FOUND = 3
    UNVERIFIED = 4
    FINDINGS = 5
    UNREACHABLE = 6
    NOT_ALLOWED = 7
    TOO_SLOW = 8
    TOO_LARGE = 9
    INTERRUPTED = 130


class Stopped(Exception):
    """A command that cannot go on: what failed and why, what to do next, the exit code."""

    def __init__(self, what: str, next_step: str, code: Code) -> None:
        super().__init__(what)
        self.next_step, self.code = next_step, code


NAMES = {
    Code.UNEXPECTED: "unexpected",
    Code.USAGE: "usage",
    Code.NOT_FOUND: "not found",
    Code.UNVERIFIED: "verification failed",
    Code.UNREACHABLE: "unreachable",
    Code.NOT_ALLOWED: "not allowed",
    Code.TOO_SLOW: "too slow",
    Code.TOO_LARGE: "too large",
    Code.INTERRUPTED: "interrupted",
}

SHORTER = (
    "restore the log from its copy; only if the loss is known and accepted, "
    "roundproof replay --accept-shorter-log"
)

FAILED = "every other table-day is derived; report the message with that day's part of the log"
AGAIN = "roundproof replay derives it again from the log"
FILLED = "roundproof ingest file FILE, or roundproof ingest forward, sends events to Kafka"
DAMAGED = (
    "restore the file from a copy of the archive; or move the archive away, and "
    "roundproof archive run brings in what Kafka still holds"
)
NO_RIGHT = (
    "roundproof kafka init --acls, as the administrator, gives each user of docs/kafka.md its own"
)
ONE_NODE = "start the other nodes; on a desk with one, roundproof kafka init --replication 1"
UNREAD = (
    "update roundproof, or correct kafka_framing and kafka_registry; then run the same command "
    "again: nothing was passed over"
)

HEADLESS = (
    "restore the log from its copy; where it is from before heads were kept, or was put back from "
    "an archive, roundproof ingest adopt TABLE"
)
CUT = (
    "restore the log from its copy; only if the loss is known and accepted, "
    "roundproof ingest adopt TABLE --accept-loss"
)

# Exceptions whose name says more than their text.
NAMED = ("ArchiveCorrupt", "HeadMissing", "LogCorrupt", "LogCut")

# Where an exception of the rooms below leads: its module and name, the code, the next step.
KNOWN = (
    ("replay.rulebooks.edition", "UnknownRulebook", Code.NOT_FOUND, "roundproof rules list"),
    (
        "replay.rulebooks.edition",
        "BadRulebook",
        Code.USAGE,
        "correct the edition's file in replay/rulebooks",
    ),
    (
        "replay.rulebooks.terms",
        "BadTerms",
        Code.USAGE,
        "roundproof rules show CODE says what it knows",
    ),
    (
        "replay.whatif_changes",
        "BadChange",
        Code.USAGE,
        "roundproof whatif --help has an example of each",
    ),
    ("replay.locate", "UnknownRound", Code.NOT_FOUND, "roundproof find --help"),
    (
        "replay.batch.source",
        "UnknownTable",
        Code.NOT_FOUND,
        "roundproof digest lists every table-day",
    ),
    (
        "replay.batch.source",
        "Trimmed",
        Code.NOT_FOUND,
        "roundproof replay --from archive, or kafka",
    ),
    ("replay.batch.source", "NothingPulled", Code.NOT_FOUND, FILLED),
    (
        "replay.batch.source",
        "NoArchive",
        Code.NOT_FOUND,
        "roundproof archive run brings events into it",
    ),
    (
        "replay.batch.source",
        "NoLog",
        Code.NOT_FOUND,
        "roundproof ingest file FILE, or roundproof demo",
    ),
    ("replay.batch.plan", "LogShorter", Code.UNVERIFIED, SHORTER),
    ("replay.batch.failures", "TableDayFailed", Code.UNVERIFIED, FAILED),
    ("replay.tables.parquet", "DerivedCorrupt", Code.UNVERIFIED, AGAIN),
    ("ingest.archive.index", "ArchiveCorrupt", Code.UNVERIFIED, DAMAGED),
    ("ingest.log", "HeadMissing", Code.UNVERIFIED, HEADLESS),
    ("ingest.log", "LogCut", Code.UNVERIFIED, CUT),
    ("ingest.log", "LogCorrupt", Code.UNVERIFIED, "restore the log from its copy, then try again"),
    ("ingest.doors.file", "NotReadings", Code.USAGE, "name a file of readings; docs/readings.md"),
    ("ingest.doors.device_keys", "BadKeys", Code.USAGE, "correct the keys, then start again"),
    ("ingest.log", "LogLocked", Code.UNREACHABLE, "wait for the other process, then try again"),
    ("ingest.kafka.client", "NotAuthorised", Code.NOT_ALLOWED, NO_RIGHT),
    ("ingest.kafka.client", "KafkaDenied", Code.NOT_ALLOWED, "roundproof config show --origin"),
    ("ingest.kafka.client", "NoTopic", Code.NOT_FOUND, "roundproof kafka init"),
    (
        "ingest.kafka.topics",
        "NoTopicName",
        Code.USAGE,
        "give the device another name, at Kafka too",
    ),
    (
        "ingest.kafka.topics",
        "PartitionCountDiffers",
        Code.USAGE,
        "leave --partitions away, and they are made alike",
    ),
    ("ingest.kafka.topics", "UnevenPartitions", Code.UNVERIFIED, "roundproof kafka check"),
    ("ingest.kafka.topics", "TooFewNodes", Code.UNREACHABLE, ONE_NODE),
    (
        "ingest.kafka.confluent_framing",
        "RegistryAway",
        Code.UNREACHABLE,
        "check kafka_registry; try again",
    ),
    ("ingest.kafka.client", "KafkaAway", Code.UNREACHABLE, "check that its brokers run; try again"),
    (
        "ingest.kafka.confluent_framing",
        "BadRegistry",
        Code.USAGE,
        "roundproof config show --origin",
    ),
    ("ingest.kafka.event_sorter", "UnknownEvent", Code.UNVERIFIED, UNREAD),
    ("ingest.log", "LogUnwritable", Code.UNREACHABLE, "see to what it names, then try again"),
    ("schemas.history", "UnknownWriter", Code.UNVERIFIED, "update roundproof, then try again"),
    ("audit.checks.findings", "FindingsDiffer", Code.UNVERIFIED, "roundproof replay --fresh"),
    ("audit.checks.catalogue", "BadCheck", Code.USAGE, "correct the check's file in audit/checks"),
    ("vision.recognise.network", "ModelCorrupt", Code.UNVERIFIED, "install roundproof anew"),
    (
        "vision.felt.transform",
        "BadMarks",
        Code.USAGE,
        "measure and name the marks again; --help shows how",
    ),
    (
        "vision.felt.view_check",
        "PlainFelt",
        Code.USAGE,
        "show the print of the felt, or give --unchecked",
    ),
    (
        "vision.felt.calibration",
        "BadCalibration",
        Code.USAGE,
        "roundproof vision calibrate makes one",
    ),
    ("vision.felt.layout", "UnknownLayout", Code.NOT_FOUND, "roundproof vision layouts lists them"),
    (
        "vision.felt.layout",
        "BadLayout",
        Code.USAGE,
        "correct the layout; roundproof vision layouts",
    ),
    (
        "vision.camera.camera_state",
        "BadCameraState",
        Code.USAGE,
        "name the file of this camera with --memory",
    ),
    (
        "vision.camera.camera_state",
        "CameraStateLocked",
        Code.UNREACHABLE,
        "stop the other one, or wait for it",
    ),
    (
        "vision.camera.camera_state",
        "TooManyWaiting",
        Code.UNREACHABLE,
        "see why the gateway takes nothing",
    ),
    ("vision.clips.save_image", "BadName", Code.USAGE, "choose such a name"),
    ("vision.camera.send", "BadAddress", Code.USAGE, "name it as https://house:8710"),
    (
        "vision.camera.send",
        "ReadingsDenied",
        Code.NOT_ALLOWED,
        "give the camera its own key and its own name",
    ),
    ("concurrent.futures.process", "BrokenProcessPool", Code.UNREACHABLE, "try --workers 1"),
    ("duckdb", "IOException", Code.UNREACHABLE, "make room, close what has the file open, retry"),
    ("schemas.shape", "Refused", Code.USAGE, "correct the value it names and run it again"),
)

DISK = {
    errno.ENOSPC: (Code.UNREACHABLE, "make room on the disk, then run the same command again"),
    errno.EDQUOT: (Code.UNREACHABLE, "the quota is used up: make room, then run it again"),
    errno.EFBIG: (Code.UNREACHABLE, "the file would pass a limit: raise it (ulimit -f), run again"),
    errno.EROFS: (Code.NOT_ALLOWED, "the disk is read-only: choose another folder with --home"),
    errno.EACCES: (Code.NOT_ALLOWED, "ask for access to it, or choose another folder with --home"),
    errno.EPERM: (Code.NOT_ALLOWED, "ask for access to it, or choose another folder with --home"),
    errno.EIO: (Code.UNREACHABLE, "the disk reports errors: check it before anything else"),
    errno.EMFILE: (Code.UNREACHABLE, "too many open files: use fewer --workers"),
    errno.ENOENT: (Code.NOT_FOUND, "check the name; a relative path starts at the current folder"),
    errno.EEXIST: (Code.USAGE, "something else stands in its place: check the path"),
    errno.ENOTDIR: (Code.USAGE, "a folder is expected where a file stands: check the path"),
    errno.EISDIR: (Code.USAGE, "a file is expected where a folder stands: check the path"),
}


def explained(error: BaseException) -> Stopped:
    """The exception as what a person needs to know."""
    if isinstance(error, Stopped):
        return error
    if isinstance(error, OSError) and error.errno in DISK:
        code, step = DISK[error.errno]
        return Stopped(_plain_os(error), step, code)
    for kind, code, step in _known():
        if isinstance(error, kind):
            named = f"{type(error).__name__}: " if type(error).__name__ in NAMED else ""
            return Stopped(f"{named}{error}", step, code)
    if isinstance(error, UnicodeEncodeError):  # half a character, on the command line or in a file
        what = f"text in UTF-8 expected, {error.object[error.start : error.end]!r} found"
        return Stopped(what, "write the name as it is on file", Code.USAGE)
    if isinstance(error, KeyboardInterrupt):
        return Stopped("stopped by the keyboard", "run the same command again", Code.INTERRUPTED)
    what = f"{type(error).__name__}: {error}"
    return Stopped(what, "run it again with --debug and report the trace", Code.UNEXPECTED)


def next_step(kinds: Sequence[str]) -> str:
    """The next step after an exception that is known by its class and those above it."""
    steps = (step for module, name, _, step in KNOWN if f"{module}.{name}" in kinds)
    return next(steps, "roundproof replay")


def report(
    error: BaseException,
    *,
    debug: bool,
    say: Callable[[str], object] | None = None,
    as_json: bool = False,
) -> Code:
    """Say on stderr what went wrong and return the exit code; the trace only where asked for.

    With `as_json` the last line is a JSON object: {"error": {code, kind, message, next}}.
    """
    say = say or screen.hint
    if debug:
        say("".join(traceback.format_exception(error)).rstrip())
    told = explained(error)
    if as_json:
        say(screen.json_text(document(told)))
    elif told.code == Code.INTERRUPTED:
        say(NAMES[told.code])
    else:
        say(f"error {told.code} ({NAMES[told.code]}): {told}")
        say(f"next: {told.next_step}")
    return told.code


def document(stopped: Stopped) -> dict[str, Any]:
    """An error as a JSON document."""
    said = {
        "code": int(stopped.code),
        "kind": NAMES[stopped.code],
        "message": str(stopped),
        "next": stopped.next_step,
    }
    return {"error": said}


def _plain_os(error: OSError) -> str:
    where = " and ".join(str(name) for name in (error.filename, error.filename2) if name)
    return f"{where}: {error.strerror}" if where else str(error.strerror)


def _known() -> Iterator[tuple[type[BaseException], Code, str]]:
    """The kinds that may have been raised: those whose module is loaded."""
    for module, name, code, step in KNOWN:
        if module in sys.modules:
            yield getattr(sys.modules[module], name), code, step
