"""`roundproof log`: seal the log, and verify it against what was signed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from audit.cli import screen, settings
from audit.cli.errors import Code, Stopped, explained
from audit.cli.options import AsJson

if TYPE_CHECKING:
    from audit.house.verify_log import LogVerdict
    from ingest.kafka.event_sorter import StrayMessage
    from ingest.log import Lane, LogReader
    from ingest.seal.note import PublicKey
    from ingest.seal.sealing import Sealing
    from ingest.seal.verification import LaneVerdict

STEPS = {
    "local": "restore the log from a copy that verifies; docs/operating.md says how to find one",
    "archive": "if the archive is only behind, roundproof archive run; otherwise restore it",
    "kafka": "if Kafka is only behind, roundproof ingest forward; otherwise docs/operating.md",
}

app = typer.Typer(no_args_is_help=True, help="Seal the log, and verify it against its seal.")


@app.command()
def seal(
    ctx: typer.Context,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Make the tree files again from the log.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Sign a checkpoint over everything that the log holds.

    \b
    Examples:
        roundproof log seal
        roundproof log seal --fresh

    `ingest serve`, `watch` and `archive run` do this by themselves while they work.

    Exit code 3 if there is no signing key; 4 if a table's log is not the one that was sealed: the
    command names it and seals the others.
    """
    from audit.house import open as open_house
    from audit.house import seal as house_seal

    home = settings.of(ctx).home
    if fresh:
        house_seal.forget_trees(home)
    done = house_seal.seal_now(home, open_house.now())
    if as_json:
        screen.say_json(_document(done))
    elif done.head is None:
        screen.hint("the log is empty; next: roundproof ingest file FILE")
    else:
        screen.say(
            f"sealed {done.records:,} records of {len(done.grown)} lanes; "
            f"checkpoint {done.head.size} of {done.head.origin}"
        )
    _require_no_damage(done.damaged)


@app.command()
def show(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Print the newest checkpoint with its signatures.

    Example: roundproof log show > checkpoint.txt

    Whoever keeps a copy can prove later that the log was changed or put back: roundproof log verify
    --against checkpoint.txt.
    """
    from audit.house import seal as house_seal
    from ingest.seal import note

    made = house_seal.proofs(settings.of(ctx).home)
    if as_json:
        signed = note.parse(made.note)
        names = [f"{each.name}+{each.key_id.hex()}" for each in signed.signatures]
        document = {"origin": made.head.origin, "checkpoint": made.head.size, "note": made.note}
        screen.say_json(document | {"signed_by": names})
        return
    screen.say(made.note.rstrip("\n"))


@app.command()
def cosign(
    ctx: typer.Context,
    url: Annotated[
        str, typer.Option("--witness", metavar="URL", help="Address of the witness.")
    ] = "",
    request: Annotated[
        Path | None,
        typer.Option("--write", metavar="FILE", help="Write the request, to carry it yourself."),
    ] = None,
    old: Annotated[
        int,
        typer.Option(min=0, help="With --write: checkpoint that the witness cosigned last."),
    ] = 0,
    answer: Annotated[
        Path | None,
        typer.Option("--read", metavar="FILE", help="Take in the witness's signature lines."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a witness to sign the newest checkpoint too.

    \b
    Examples:
        roundproof log cosign --witness https://witness.example:8720
        roundproof log cosign --write request.txt --old 3055
        roundproof witness cosign request.txt --home witness > answer.txt
        roundproof log cosign --read answer.txt

    First enter the witness's key: roundproof keys trust.

    Exit code 4 if the witness saw another history of this log; 6 if it does not answer.
    """
    from audit.house import open as open_house
    from audit.house import seal as house_seal
    from ingest.seal import ask_witness, proof

    home = settings.of(ctx).home
    if sum(map(bool, (url, request, answer))) != 1:
        what = "one of --witness, --write and --read expected"
        raise Stopped(what, "roundproof log cosign --help", Code.USAGE)
    if request:
        made = house_seal.proofs(home)
        if old > made.head.size:
            what = f"--old {old}: at most {made.head.size} expected"
            raise Stopped(what, "roundproof log show", Code.USAGE)
        request.write_text(proof.request(house_seal.sealed(home), old, made.note), "utf-8")
        said = made.note
    elif answer:
        lines = answer.read_text("utf-8")
        said = house_seal.add_cosignatures(home, lines, open_house.now())
    else:
        said = house_seal.cosign_now(home, ask_witness.over_http(url), open_house.now())
    if as_json:
        screen.say_json({"note": said})
    elif not request:
        screen.say(said.rstrip("\n"))


@app.command()
def verify(
    ctx: typer.Context,
    day: Annotated[
        str, typer.Option("--day", metavar="DAY", help="Only the events of this gaming day.")
    ] = "",
    kind: Annotated[
        str, typer.Option("--from", metavar="LOG", help="Which log: local, archive or kafka.")
    ] = "local",
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A checkpoint kept elsewhere, which the log must still hold."
        ),
    ] = None,
    key: Annotated[
        str,
        typer.Option(
            metavar="VKEY", help="Public key to trust [default: those in the keys folder]"
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Compare the log with what was signed, and name the first wrong record.

    \b
    Examples:
        roundproof log verify
        roundproof log verify --day 2026-03-01
        roundproof log verify --from archive
        roundproof log verify --against checkpoint.txt

    Finds what was edited, inserted, deleted, swapped or cut off, also where somebody chained and
    counted everything anew. A log that was put back to an older state as a whole shows only beside
    a checkpoint that somebody else kept: give it with --against, or ask a witness.

    Exit code 4 if something differs; 3 if nothing was sealed yet.
    """
    from audit.house import verify_log
    from ingest.seal import note, verification

    home = settings.of(ctx).home
    trusted = verify_log.trusted_keys(home, key)
    if kind == "kafka":
        _require_published_history(ctx, trusted)
    strays: dict[str, StrayMessage] = {}
    with _log_to_verify(ctx, kind, strays) as log:
        tables = len(log.partitions("events"))
        if not tables and kind != "local":
            step = "roundproof archive run" if kind == "archive" else "roundproof ingest forward"
            raise Stopped(f"there is nothing in the {kind} log", step, Code.NOT_FOUND)
        with screen.progress("verify", tables, "tables") as advance:
            found = verify_log.verify(home, log, trusted, day, advance)
    if found.house.state.head is None:
        raise Stopped("nothing was sealed yet", "roundproof log seal", Code.NOT_FOUND)
    if against:
        known = note.parse(against.read_text("utf-8"))
        verification.require_extends(found.house, known, trusted)
    if as_json:
        screen.say_json(_verdict(found))
    _say_strays(found, strays)
    _require_as_sealed(found, kind)
    if not as_json:
        _say_verified(found, day)


def _say_strays(found: "LogVerdict", strays: "Mapping[str, StrayMessage]") -> None:
    """Where in the topic a wrong table first has a message that continues none of its events."""
    for lane in found.wrong:
        if stray := strays.get(lane.lane[1]):
            topic, partition, offset = stray.message[:3]
            where = f"{topic}/{partition} offset {offset}"
            screen.hint(
                f"{where}: the first message under {lane.lane[1]} that is no event: {stray.why}"
            )


@contextmanager
def _log_to_verify(
    ctx: typer.Context, kind: str, strays: "dict[str, StrayMessage]"
) -> "Iterator[LogReader]":
    """The log to read; the first stray message of each table of a topic goes to `strays`."""
    from audit.house import verify_log
    from replay.batch import source

    if kind not in source.FOLDERS:
        what = f"--from {kind}: {', '.join(source.FOLDERS)} expected"
        raise Stopped(what, "roundproof log verify --help", Code.USAGE)
    if kind == source.KAFKA:
        from ingest.kafka.log import KafkaLog

        def keep(stray: "StrayMessage") -> None:
            strays.setdefault((stray.message.key or b"").decode("utf-8", "replace"), stray)

        with KafkaLog(settings.must_have_kafka(ctx), stray=keep) as topic:
            yield topic
        return
    yield verify_log.raw_log(settings.of(ctx).home, kind)


def _require_published_history(ctx: typer.Context, trusted: "Sequence[PublicKey]") -> None:
    """The newest checkpoint in Kafka must be one that the house still holds."""
    from audit.house import seal as house_seal
    from ingest.kafka import checkpoint_topic, confluent_framing
    from ingest.seal import note, verification
    from ingest.seal.house import SealedHouse

    home, kafka = settings.of(ctx).home, settings.must_have_kafka(ctx)
    found = checkpoint_topic.messages(kafka, trusted[0].name)
    unframe = confluent_framing.framing_of(kafka, "checkpoints").unframe
    topic = checkpoint_topic.CheckpointTopic(found, trusted, unframe)
    newest = SealedHouse(home / "seal" / ".kafka", topic).state()
    if newest.note:
        own = verification.verify_checkpoints(house_seal.sealed(home), trusted)
        verification.require_extends(own, note.parse(newest.note), trusted)


def _say_verified(found: "LogVerdict", day: str) -> None:
    records = sum(min(each.records, each.sealed) for each in found.lanes)
    unsealed = sum(max(0, each.records - each.sealed) for each in found.lanes)
    head = found.house.state.head
    assert head is not None
    of_day = f" of {day}" if day else ""
    screen.say(f"{len(found.lanes)} lanes{of_day} are as sealed, up to checkpoint {head.size}")
    screen.say(f"{'records compared':<20} {records:>14,}")
    screen.say(f"{'not sealed yet':<20} {unsealed:>14,}")
    for signer in found.keys:
        screen.say(f"signed by            {signer.name}+{signer.id.hex()}")


def _verdict(found: "LogVerdict") -> dict[str, Any]:
    head = found.house.state.head
    return {
        "checkpoint": head.size if head else 0,
        "origin": head.origin if head else "",
        "signed_by": [f"{key.name}+{key.id.hex()}" for key in found.keys],
        "lanes": [_lane_document(each) for each in found.lanes],
        "ok": not (found.wrong or found.caches),
    }


def _lane_document(made: "LaneVerdict") -> dict[str, Any]:
    document: dict[str, Any] = {
        "lane": "/".join(made.lane),
        "records": made.records,
        "sealed": made.sealed,
        "trimmed": made.trimmed,
        "tree_files": made.cache,
    }
    return document | {"wrong": made.wrong._asdict() if made.wrong else None}


def _require_as_sealed(found: "LogVerdict", kind: str) -> None:
    """Name every lane that differs, and stop if there is one."""
    said = [_difference(each) for each in found.wrong]
    for what in said[1:]:
        screen.hint(f"also {what}")
    if said:
        step = STEPS.get(kind, STEPS["local"])
        raise Stopped(said[0], step, Code.UNVERIFIED)
    if found.caches:
        step = "roundproof log seal --fresh makes the tree files again from the log"
        raise Stopped(f"the log is as sealed, but {found.caches[0]}", step, Code.UNVERIFIED)


def _difference(made: "LaneVerdict") -> str:
    wrong = made.wrong
    assert wrong is not None
    until = f" to {wrong.upto:,}" if wrong.upto and wrong.upto > wrong.offset else ""
    seen = f"; checkpoint {wrong.checkpoint} catches it" if wrong.checkpoint else ""
    return f"{'/'.join(made.lane)} record {wrong.offset:,}{until}: {wrong.what}{seen}"


def _document(done: "Sealing") -> dict[str, Any]:
    from ingest.seal.checkpoint import encode_hash

    return {
        "origin": done.head.origin if done.head else "",
        "checkpoint": done.head.size if done.head else 0,
        "root": encode_hash(done.head.root) if done.head else "",
        "sealed": {"/".join(lane): count for lane, count in done.grown.items()},
        "damaged": {"/".join(lane): str(error) for lane, error in done.damaged.items()},
    }


def _require_no_damage(damaged: "Mapping[Lane, Exception]") -> None:
    for lane, error in list(damaged.items())[1:]:
        screen.hint(f"not sealed either, {'/'.join(lane)}: {explained(error)}")
    for lane, error in list(damaged.items())[:1]:
        stopped = explained(error)
        what = f"{'/'.join(lane)} was not sealed, the others were: {stopped}"
        raise Stopped(what, stopped.next_step, stopped.code)
