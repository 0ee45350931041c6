"""`roundproof ingest`: bring readings into the log, from files, over HTTP or from Kafka."""

import os
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli import listen, screen, settings
from audit.cli.errors import Code, Stopped, explained
from audit.cli.options import AsJson
from audit.commands import spool

if TYPE_CHECKING:
    from audit.house.open import Unsent
    from ingest.doors.http_acks import Limits
    from ingest.gateway import Counts

app = typer.Typer(
    no_args_is_help=True, help="Bring readings into the log: from files, over HTTP, from Kafka."
)
app.add_typer(spool.app)
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@app.command("file")
def from_files(
    ctx: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="JSON lines, Avro containers of Reading, or segments of a log."
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Bring files of readings into the log.

    \b
    Examples:
        roundproof ingest file readings.jsonl
        roundproof ingest file monday.avro tuesday.avro --json
        roundproof ingest file aside/T12/*.avro

    You may bring in the same file again: the log keeps each reading once.

    Exit code 4 if the log of a table is damaged: the command names the table, counts its readings
    as stopped and takes those of the other tables; run it again once you repaired the log. Exit
    code 5 if something in the files was not a reading: roundproof dlq list shows why.
    """
    from audit.house import open as open_house
    from ingest import gateway
    from ingest.doors import file as file_door
    from ingest.forward.run import forward_in_background

    kafka = settings.kafka_of(ctx)
    total = sum(path.stat().st_size for path in paths)
    counts, found, unsent = gateway.Counts(), dict[str, gateway.Counts](), open_house.Unsent()
    with open_house.opened(spool.log_of(ctx), kafka) as house:
        door = house.gateway(trusts_received_at=True)
        forwarding = (
            forward_in_background(house.spool, house.forwarder)
            if house.forwarder
            else nullcontext()
        )
        with forwarding, screen.progress("ingest", total, "bytes") as advance:
            for path in paths:
                found[str(path)] = file_door.bring_in(path, door, advance)
                counts.add(found[str(path)])
        if kafka and house.forwarder:
            unsent = open_house.forward_all(house.forwarder, kafka.delivery_s)
    if as_json:
        screen.say_json({**asdict(counts), "files": {name: asdict(c) for name, c in found.items()}})
    else:
        _say_counts(counts)
    _say_unsent(unsent)
    _require_no_stopped_table(counts, door.stopped, "run the same command again")
    _end(counts)


@app.command("serve")
def over_http(
    ctx: typer.Context,
    keys_file: Annotated[
        Path | None,
        typer.Option(
            "--keys",
            envvar="ROUNDPROOF_KEYS_FILE",
            metavar="FILE",
            help="TOML file with the key and the rights of each device.",
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8710,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Certificate chain, PEM; with --tls-key.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Private key, PEM; with --tls-cert.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the address it listens on as one JSON document.")
    ] = False,
) -> None:
    """Take readings over HTTP, until you stop it.

    It serves POST /readings, GET /health and GET /metrics.

    \b
    Examples:
        roundproof ingest serve --keys keys.toml
        curl -H "Authorization: Bearer $KEY" --data-binary @batch.jsonl localhost:8710/readings

    Each device has its own key, and may send only its own readings, of its kind, at its tables.
    An answer means that the readings are safe; `stored` says where: on disk, in Kafka, or in the
    spool while Kafka is unreachable.

    Exit code 2 for wrong keys or certificates; 6 if the port is taken.
    """
    listen.must_be_pair(tls_cert, tls_key)
    if host not in LOOPBACK and not (tls_cert and tls_key):
        raise Stopped(
            f"--host {host}: without TLS others on the network could read the devices' keys",
            "give --tls-cert and --tls-key, or listen on 127.0.0.1",
            Code.USAGE,
        )
    from audit.cli.signals import stopping
    from audit.house import live_seal
    from audit.house import open as open_house
    from ingest.doors import device_keys, http_connections
    from ingest.doors import http as http_door
    from ingest.doors.http_acks import Acks
    from ingest.forward.run import forward_in_background
    from ingest.local.inspection import inspecting

    known, kafka = device_keys.load(keys_file, os.environ), settings.kafka_of(ctx)
    if tls_cert and tls_key:
        listen.must_be_certificate(tls_cert, tls_key)
    with (
        stopping() as stopped,
        open_house.opened(spool.log_of(ctx), kafka) as house,
        listen.bound(host, port) as listening,
        inspecting(house.log) as inspector,
        live_seal.sealing(live_seal.own_log(*settings.sealing_of(ctx))),
    ):
        acks = Acks(house.spool, house.forwarder, _limits(ctx)) if house.forwarder else None
        guard = http_connections.ConnectionGuard()
        door = http_door.HttpDoor(
            house.gateway(), known, acks=acks, guard=guard, inspector=inspector
        )
        web = http_connections.server(
            http_door.app(door),
            guard,
            ssl_certfile=tls_cert,
            ssl_keyfile=tls_key,
        )
        forwarding = (
            forward_in_background(house.spool, house.forwarder)
            if house.forwarder
            else nullcontext()
        )
        with forwarding:
            taken = listening.getsockname()[1]
            screen.hint(f"{len(known)} devices; listening on {host}:{taken}")
            if as_json:
                screen.say_json({"devices": len(known), "host": host, "port": taken})
                screen.flush()
            if not stopped():
                # A signal may come between the line above and the server's own handlers.
                web.config.callback_notify = partial(listen.stop_if, web, stopped)
                web.config.timeout_notify = 1
                web.run(sockets=[listening])  # on shutdown it answers open requests first
        if kafka and house.forwarder and not house.forwarder.kafka_error:
            unsent = open_house.forward_all(house.forwarder, kafka.delivery_s)
            if unsent.why:
                screen.hint(f"some readings stay on disk until the next start: {unsent.why}")


@app.command("kafka")
def from_topic(
    ctx: typer.Context,
    once: Annotated[
        bool, typer.Option("--once", help="End when the topic has no more readings.")
    ] = False,
    devices: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read the own topic of each device in this keys file."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document at the end.")
    ] = False,
) -> None:
    """Take readings from the Kafka topic rp.readings, until you stop it.

    \b
    Examples:
        roundproof ingest kafka
        roundproof ingest kafka --once --json
        roundproof ingest kafka --devices keys.toml

    A message is one reading: Avro single object, Confluent's wire format or JSON; its key is the
    table. A message that cannot be read becomes a dead letter, and the next one is taken. With
    --devices it reads the topics rp.readings.DEVICE instead; a reading that the keys file does not
    allow (another device, kind or table) becomes a dead letter.

    While Kafka is unreachable it waits. With --once it ends: exit code 5 if there were dead
    letters, 6 if Kafka is unreachable. Exit code 4 if the log of a table is damaged.
    """
    from audit.cli.signals import stopping
    from audit.house import live_seal
    from audit.house import open as open_house
    from ingest import gateway
    from ingest.doors import device_keys, kafka_topic
    from ingest.forward.run import forward_in_background
    from ingest.gateway import STOPPED
    from ingest.kafka import topics
    from ingest.kafka.consumer import TopicConsumer
    from ingest.kafka.retry import run_with_retry

    kafka = settings.must_have_kafka(ctx)
    known = device_keys.grants(devices) if devices else {}
    streams = {topics.own_stream(device): grant for device, grant in known.items()}
    grants = {kafka.topic(stream): grant for stream, grant in streams.items()}
    counts = gateway.Counts()
    with (
        stopping() as stopped,
        open_house.opened(spool.log_of(ctx), kafka) as house,
        live_seal.sealing(live_seal.own_log(*settings.sealing_of(ctx))),
    ):
        assert house.forwarder is not None
        group, door = topics.group(kafka, kafka_topic.GROUP), house.gateway()

        def take() -> None:
            with TopicConsumer(kafka, tuple(streams) or (kafka_topic.STREAM,), group=group) as tail:
                box = kafka_topic.ReadingsConsumer(tail, door, kafka_topic.confluent(kafka), grants)
                for found in box.run(stopped, once=once):
                    counts.add(found)

        with forward_in_background(house.spool, house.forwarder):
            run_with_retry(take, stopped, ends=once)
        unsent = open_house.forward_all(house.forwarder, kafka.delivery_s)
    if as_json:
        screen.say_json(asdict(counts))
    else:
        _say_counts(counts)
    _say_unsent(unsent)
    _require_no_stopped_table(counts, door.stopped, f"roundproof dlq redrive --reason {STOPPED}")
    if once:
        _end(counts)


def _limits(ctx: typer.Context) -> "Limits":
    from ingest.doors.http_acks import Limits

    found = settings.of(ctx)
    mib = 1024 * 1024
    return Limits(found.ack_wait_s, found.spool_soft_mib * mib, found.spool_hard_mib * mib)


def _say_counts(counts: "Counts") -> None:
    for name, count in asdict(counts).items():
        screen.say(f"{name.replace('_', ' '):<14} {count:>12,}")
    if counts.dead_lettered:
        screen.hint("next: roundproof dlq list shows why readings were refused")


def _end(counts: "Counts") -> None:
    """Exit with 5 if there were dead letters, else with 0."""
    raise typer.Exit(Code.FINDINGS if counts.dead_lettered else Code.OK)


def _require_no_stopped_table(
    counts: "Counts", stopped: "Mapping[str, Exception]", then: str
) -> None:
    """Name the tables whose log is damaged, and stop if their readings were not taken."""
    if not counts.stopped:
        return
    for name, why in stopped.items():
        screen.hint(f"table {name} is stopped: {explained(why)}")
    first = next(iter(stopped.values()), None)
    names = ", ".join(stopped) or "a table that was repaired since"
    what = f"{counts.stopped:,} readings of {names} were not taken: its log is damaged"
    step = f"{explained(first).next_step}; then " if first else ""
    raise Stopped(what, f"{step}{then}", Code.UNVERIFIED)


def _say_unsent(unsent: "Unsent") -> None:
    if unsent.error:
        screen.hint(f"some readings wait for Kafka: {unsent.error}")
        step = f"{explained(unsent.error).next_step}; then " if unsent.denied else ""
        screen.hint(f"they are safe on disk; next: {step}roundproof ingest forward")
    unsent.require_no_stopped_table()
