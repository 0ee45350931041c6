"""Errors as a user sees them: one line that says what went wrong, the next step, an exit code.

A command raises `Stopped`. `KNOWN` gives every exception of the other packages its exit code and
next step by module and name, so that this module imports none of them.
"""

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
    """Ends a command with what failed and why, what to do next, and the exit code."""

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
    "restore the log from its backup; only if you know and accept the loss, "
    "roundproof replay --accept-shorter-log"
)

FAILED = "report this message with that day's part of the log; every other table-day is derived"
AGAIN = "roundproof replay derives it again from the log"
FILLED = "roundproof ingest file FILE, or roundproof ingest forward, sends events to Kafka"
DAMAGED = (
    "restore the file from a backup of the archive; or move the archive away and run "
    "roundproof archive run, which reads what Kafka still holds"
)
NO_RIGHT = (
    "as Kafka's administrator, run roundproof kafka init --acls; docs/kafka.md lists the rights"
)
ONE_NODE = (
    "start the other brokers; with a single test broker, roundproof kafka init --replication 1"
)
UNREAD = (
    "update roundproof, or correct kafka_framing and kafka_registry; then run the same command "
    "again: no message was skipped"
)

HEADLESS = (
    "restore the log from its backup; if an older release wrote it, or you copied it back from an "
    "archive, roundproof ingest adopt TABLE"
)
CUT = (
    "restore the log from its backup; only if you know and accept the loss, "
    "roundproof ingest adopt TABLE --accept-loss"
)

# Exceptions whose name is printed before their text.
NAMED = ("ArchiveCorrupt", "HeadMissing", "LogCorrupt", "LogCut", "SealBroken")

# Each exception of the other packages: its module and name, the exit code, the next step.
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
        "roundproof rules show CODE lists the paytables and readings of that edition",
    ),
    (
        "replay.whatif_changes",
        "BadChange",
        Code.USAGE,
        "roundproof whatif --help has an example of every kind of change",
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
        "roundproof archive run fills it from Kafka",
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
    (
        "ingest.seal.house",
        "SealBroken",
        Code.UNVERIFIED,
        "roundproof log verify names the first wrong record",
    ),
    ("ingest.seal.keys", "NoKey", Code.NOT_FOUND, "roundproof keys new NAME makes one"),
    (
        "ingest.seal.keys",
        "KeyUnsafe",
        Code.NOT_ALLOWED,
        "correct the file's mode and owner (chmod 0400), or restore the key from its copy",
    ),
    ("ingest.seal.keys", "KeyExists", Code.USAGE, "roundproof keys rotate replaces it"),
    ("ingest.seal.note", "NoteWrong", Code.USAGE, "correct the name, key or note, then try again"),
    (
        "ingest.seal.ask_witness",
        "WitnessAway",
        Code.UNREACHABLE,
        "check the witness's address and that it runs, then try again; the seal stands without it",
    ),
    (
        "ingest.seal.ask_witness",
        "WitnessRefused",
        Code.NOT_ALLOWED,
        "give the witness the line of roundproof keys show; it enters it with keys trust",
    ),
    (
        "ingest.seal.tree",
        "ProofWrong",
        Code.UNVERIFIED,
        "roundproof log verify; roundproof log seal --fresh makes the tree files again",
    ),
    ("ingest.seal.proof", "NotSealed", Code.NOT_FOUND, "roundproof log seal"),
    ("ingest.log", "HeadMissing", Code.UNVERIFIED, HEADLESS),
    ("ingest.log", "LogCut", Code.UNVERIFIED, CUT),
    (
        "ingest.log",
        "LogCorrupt",
        Code.UNVERIFIED,
        "restore the log from its backup, then try again",
    ),
    (
        "ingest.doors.file",
        "NotReadings",
        Code.USAGE,
        "name a file of readings as docs/readings.md describes it",
    ),
    ("ingest.doors.device_keys", "BadKeys", Code.USAGE, "correct the keys file, then start again"),
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
        "leave out --partitions: the new topics then get the same number",
    ),
    ("ingest.kafka.topics", "UnevenPartitions", Code.UNVERIFIED, "roundproof kafka check"),
    ("ingest.kafka.topics", "TooFewNodes", Code.UNREACHABLE, ONE_NODE),
    (
        "ingest.kafka.confluent_framing",
        "RegistryAway",
        Code.UNREACHABLE,
        "check the setting kafka_registry, then try again",
    ),
    (
        "ingest.kafka.client",
        "KafkaAway",
        Code.UNREACHABLE,
        "check that the brokers run, then try again",
    ),
    (
        "ingest.kafka.confluent_framing",
        "BadRegistry",
        Code.USAGE,
        "roundproof config show --origin",
    ),
    ("ingest.kafka.event_sorter", "UnknownEvent", Code.UNVERIFIED, UNREAD),
    (
        "ingest.log",
        "LogUnwritable",
        Code.UNREACHABLE,
        "correct what the message names, then try again",
    ),
    ("schemas.history", "UnknownWriter", Code.UNVERIFIED, "update roundproof, then try again"),
    ("audit.cases.case_log", "UnknownCase", Code.NOT_FOUND, "roundproof case list"),
    (
        "audit.cases.jurisdiction",
        "UnknownJurisdiction",
        Code.USAGE,
        "set ROUNDPROOF_JURISDICTION, or jurisdiction in roundproof.toml, to one of them",
    ),
    ("audit.cases.evidence_store", "EvidenceRefused", Code.USAGE, "name a file with content"),
    (
        "audit.cases.evidence_store",
        "EvidenceCorrupt",
        Code.UNVERIFIED,
        "restore the file from a backup of the house's folder evidence",
    ),
    ("audit.checks.findings", "FindingsDiffer", Code.UNVERIFIED, "roundproof replay --fresh"),
    ("audit.checks.case_rows", "BadFilings", Code.USAGE, "correct filings.toml in the home folder"),
    ("audit.checks.catalogue", "BadCheck", Code.USAGE, "correct the check's file in audit/checks"),
    ("vision.recognise.network", "ModelCorrupt", Code.UNVERIFIED, "install roundproof again"),
    (
        "vision.felt.transform",
        "BadMarks",
        Code.USAGE,
        "measure the marks again; roundproof vision calibrate --help shows how to write them",
    ),
    (
        "vision.felt.view_check",
        "PlainFelt",
        Code.USAGE,
        "show the printed felt to the camera, or give --unchecked",
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
        "correct the layout file; roundproof vision layouts lists the known ones",
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
        "stop the other process, or wait until it ends",
    ),
    (
        "vision.camera.camera_state",
        "TooManyWaiting",
        Code.UNREACHABLE,
        "find out why the gateway accepts no readings",
    ),
    ("vision.clips.save_image", "BadName", Code.USAGE, "choose a file name that ends so"),
    (
        "vision.camera.send",
        "BadAddress",
        Code.USAGE,
        "write the gateway's address as https://house:8710",
    ),
    (
        "vision.camera.send",
        "ReadingsDenied",
        Code.NOT_ALLOWED,
        "give the camera its own key and its own name in the keys file",
    ),
    ("concurrent.futures.process", "BrokenProcessPool", Code.UNREACHABLE, "try --workers 1"),
    (
        "duckdb",
        "IOException",
        Code.UNREACHABLE,
        "free disk space, close the program that has the file open, then try again",
    ),
    (
        "schemas.shape",
        "Refused",
        Code.USAGE,
        "correct the value that the message names, then run it again",
    ),
)

DISK = {
    errno.ENOSPC: (Code.UNREACHABLE, "free disk space, then run the same command again"),
    errno.EDQUOT: (
        Code.UNREACHABLE,
        "the disk quota is used up: free space, then run the same command again",
    ),
    errno.EFBIG: (
        Code.UNREACHABLE,
        "raise the file size limit (ulimit -f), then run the same command again",
    ),
    errno.EROFS: (Code.NOT_ALLOWED, "the disk is read-only: choose another folder with --home"),
    errno.EACCES: (Code.NOT_ALLOWED, "ask for access, or choose another folder with --home"),
    errno.EPERM: (Code.NOT_ALLOWED, "ask for access, or choose another folder with --home"),
    errno.EIO: (Code.UNREACHABLE, "the disk reports errors: check it before anything else"),
    errno.EMFILE: (Code.UNREACHABLE, "too many open files: use fewer --workers"),
    errno.ENOENT: (Code.NOT_FOUND, "check the path; a relative path starts at the current folder"),
    errno.EEXIST: (Code.USAGE, "something else stands in its place: check the path"),
    errno.ENOTDIR: (Code.USAGE, "a folder is expected where a file stands: check the path"),
    errno.EISDIR: (Code.USAGE, "a file is expected where a folder stands: check the path"),
}


def explained(error: BaseException) -> Stopped:
    """The exception as an error message with its next step and exit code."""
    if isinstance(error, Stopped):
        return error
    if isinstance(error, OSError) and error.errno in DISK:
        code, step = DISK[error.errno]
        return Stopped(_plain_os(error), step, code)
    for kind, code, step in _known():
        if isinstance(error, kind):
            named = f"{type(error).__name__}: " if type(error).__name__ in NAMED else ""
            return Stopped(f"{named}{error}", step, code)
    if isinstance(error, UnicodeEncodeError):  # half a character on the command line or in a file
        what = f"text in UTF-8 expected, {error.object[error.start : error.end]!r} found"
        return Stopped(what, "write the name in valid UTF-8", Code.USAGE)
    if isinstance(error, KeyboardInterrupt) or _ended_a_query(error):
        return Stopped("interrupted", "run the same command again", Code.INTERRUPTED)
    what = f"{type(error).__name__}: {error}"
    return Stopped(what, "run it again with --debug and report the traceback", Code.UNEXPECTED)


def _ended_a_query(error: BaseException) -> bool:
    """Whether an interrupt ended a query: DuckDB swallows it and raises this in its place."""
    return type(error) is RuntimeError and str(error) == "Query interrupted"


def next_step(kinds: Sequence[str]) -> str:
    """The next step after an exception, given the names of its class and base classes."""
    steps = (step for module, name, _, step in KNOWN if f"{module}.{name}" in kinds)
    return next(steps, "roundproof replay")


def report(
    error: BaseException,
    *,
    debug: bool,
    say: Callable[[str], object] | None = None,
    as_json: bool = False,
) -> Code:
    """Print an error and its next step to stderr, and return the exit code.

    With `debug` the traceback comes first.

    With `as_json` the last line is a JSON object: {"error": {code, kind, message, next}}.
    """
    say = say or screen.hint
    if debug:
        for line in "".join(traceback.format_exception(error)).rstrip().split("\n"):
            say(line)
    stopped = explained(error)
    if as_json:
        say(screen.json_text(document(stopped)))
    elif stopped.code == Code.INTERRUPTED:
        say(NAMES[stopped.code])
    else:
        say(f"error {stopped.code} ({NAMES[stopped.code]}): {stopped}")
        say(f"next: {stopped.next_step}")
    return stopped.code


def document(stopped: Stopped) -> dict[str, Any]:
    """An error as a JSON document."""
    error = {
        "code": int(stopped.code),
        "kind": NAMES[stopped.code],
        "message": str(stopped),
        "next": stopped.next_step,
    }
    return {"error": error}


def _plain_os(error: OSError) -> str:
    where = " and ".join(str(name) for name in (error.filename, error.filename2) if name)
    return f"{where}: {error.strerror}" if where else str(error.strerror)


def _known() -> Iterator[tuple[type[BaseException], Code, str]]:
    """The exceptions that can have been raised: those whose module is loaded."""
    for module, name, code, step in KNOWN:
        if module in sys.modules:
            yield getattr(sys.modules[module], name), code, step
