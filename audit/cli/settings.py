"""The settings: a flag wins over the environment, which wins over the file and the default."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import typer

from audit.cli import setting_kinds as kinds
from audit.cli.errors import Code, Stopped

if TYPE_CHECKING:
    from ingest.kafka.client import Kafka

FILE = "roundproof.toml"
PREFIX = "ROUNDPROOF_"
REFUSED = "a password must not stand in the settings"
UNKNOWN = "the name of a setting expected"
PASSWORD = (
    PREFIX + "KAFKA_PASSWORD"
)  # not a setting: it stands in no settings file and is not shown
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
FRAMINGS = ("single-object", "confluent")
LANGUAGES = ("en", "vi")

T = TypeVar("T")


def setting(default: T, kind: kinds.Kind[Any], about: str) -> T:
    """A setting with its default, its kind and what it means."""
    return field(default=default, metadata={"kind": kind, "about": about})


@dataclass(frozen=True)
class Settings:
    """Every setting, with its default, its kind and its meaning."""

    home: Path = setting(
        Path("var"), kinds.path, "folder of the log and everything derived from it"
    )
    workers: int = setting(os.cpu_count() or 1, kinds.whole(1, 256), "processes of a replay")
    zone: str = setting(
        "Asia/Ho_Chi_Minh", kinds.zone, "time zone of the venue, for the times that people read"
    )
    lang: str = setting("en", kinds.one_of(*LANGUAGES), "language of rounds explained to people")
    person: str = setting(
        "", kinds.person, "pseudonym of the person at this desk, for cases and access"
    )
    rank: str = setting("", kinds.rank, "rank or office of that person, such as pit_manager")
    jurisdiction: str = setting(
        "VN", kinds.text, "whose duties of notice and retention apply to new cases"
    )
    read_only: bool = setting(
        False,
        kinds.yes_or_no,
        "the house is a copy for reading only: no access records, no cases",
    )

    witnesses: str = setting(
        "", kinds.web_addresses, "addresses of witnesses that cosign checkpoints, with commas"
    )

    kafka: str = setting("", kinds.addresses, "addresses of Kafka brokers, host:port,host:port")
    kafka_protocol: str = setting(
        "PLAINTEXT", kinds.one_of(*PROTOCOLS), "protocol to Kafka; SASL is SCRAM-SHA-512"
    )
    kafka_user: str = setting("", kinds.text, "user name at Kafka, for a SASL protocol")
    kafka_password_file: Path | None = setting(
        None, kinds.path, f"file with the user's password; or {PASSWORD} in the environment"
    )
    kafka_ca: Path | None = setting(None, kinds.path, "PEM file of the CA of Kafka's certificates")
    kafka_prefix: str = setting("rp.", kinds.topic_prefix, "prefix of our topics' names")
    kafka_framing: str = setting(
        "single-object", kinds.one_of(*FRAMINGS), "header before a message's Avro bytes"
    )
    kafka_registry: str = setting(
        "", kinds.text, "address of the schema registry, for confluent framing"
    )
    kafka_retention_days: int = setting(
        400, kinds.whole(1), "days that topics must keep their messages, at least"
    )
    kafka_delivery_s: float = setting(
        10.0,
        kinds.seconds(300, positive=True),
        "seconds without an answer after which Kafka counts as unreachable",
    )

    ack_wait_s: float = setting(
        2.0, kinds.seconds(60), "seconds that a device's acknowledgement waits for Kafka"
    )
    spool_soft_mib: int = setting(
        1_024, kinds.whole(1), "MiB waiting for Kafka above which the gateway raises an alarm"
    )
    spool_hard_mib: int = setting(
        8_192,
        kinds.whole(1),
        "MiB waiting for Kafka above which the gateway tells devices to wait",
    )
    spool_keep_days: int = setting(
        0, kinds.whole(0), "gaming days of a table that ingest trim keeps on disk; 0 keeps all"
    )


FIELDS: Mapping[str, Field[Any]] = {each.name: each for each in fields(Settings)}


class Origin(NamedTuple):
    """One setting: its value, where the value comes from, and what is wrong with it."""

    name: str
    value: str
    origin: str
    about: str
    problem: str = ""


def load(flags: dict[str, Any] | None = None) -> Settings:
    """Load the settings; a flag of None was not given."""
    try:
        layers = _layers(_file(), flags or {})
    except tomllib.TOMLDecodeError as error:
        raise Stopped(f"{FILE}: {error}", f"correct {FILE}, or move it away", Code.USAGE) from error
    given = {name: value for _, layer in layers for name, value in layer.items()}
    values, wrong = _read(given)
    for name, problem in wrong.items():
        raise _refused(name, problem, given[name] if name in given else FIELDS[name].default)
    return Settings(**values)


def of(ctx: typer.Context) -> Settings:
    """The settings of this command line."""
    if isinstance(ctx.obj, Stopped):  # a bad setting, and a command that starts without valid ones
        raise ctx.obj
    return ctx.obj if isinstance(ctx.obj, Settings) else load()


def kafka_of(ctx: typer.Context) -> "Kafka | None":
    """The connection settings for Kafka; None if no broker is set."""
    settings = of(ctx)
    if not settings.kafka:
        return None
    from ingest.kafka.client import Kafka

    secured = settings.kafka_protocol.startswith("SASL")
    _must_fit(settings, secured=secured)
    return Kafka(
        settings.kafka,
        protocol=settings.kafka_protocol,
        user=settings.kafka_user,
        password=_password(settings.kafka_password_file) if secured else "",
        ca=settings.kafka_ca,
        prefix=settings.kafka_prefix,
        framing=settings.kafka_framing,
        registry=settings.kafka_registry,
        delivery_s=settings.kafka_delivery_s,
    )


def must_have_kafka(ctx: typer.Context) -> "Kafka":
    """The connection settings for Kafka, for a command that cannot do without it."""
    kafka = kafka_of(ctx)
    if kafka is None:
        step = f"set {PREFIX}KAFKA, or kafka in {FILE}, to host:port"
        raise Stopped("this command needs Kafka, and no broker is set", step, Code.USAGE)
    return kafka


def sealing_of(ctx: typer.Context) -> "tuple[Path, Kafka | None, list[str]]":
    """What a service that seals needs: the home, Kafka where one is set, and the witnesses."""
    found = of(ctx)
    return found.home, kafka_of(ctx), [url for url in found.witnesses.split(",") if url]


def origins_of(ctx: typer.Context) -> list[Origin]:
    """Every setting of this command line with its origin, and what is wrong with it."""
    return origins({"home": ctx.find_root().params.get("home")})


def valid_home(ctx: typer.Context) -> Path | None:
    """The folder of the house, also if another setting is wrong; None if it is wrong itself."""
    homes = (row for row in origins_of(ctx) if row.name == "home" and not row.problem)
    return next((Path(row.value) for row in homes), None)


def origins(flags: dict[str, Any]) -> list[Origin]:
    """Every setting with the origin of its value, and what is wrong with it."""
    try:
        file, broken = _file(), ""
    except (tomllib.TOMLDecodeError, OSError, UnicodeDecodeError) as error:
        file, broken = {}, f"TOML expected; {error}"
    values, found = dict[str, Any](), dict[str, str]()
    for origin, layer in _layers(file, flags):
        values |= layer
        found |= {
            name: f"environment {_variable(name)}" if origin == "environment" else origin
            for name in layer
        }
    _, wrong = _read(values)
    rows = [
        Origin(
            name,
            _text(values.get(name, each.default)),
            found.get(name, "default"),
            each.metadata["about"],
            wrong.get(name, ""),
        )
        for name, each in FIELDS.items()
    ]
    rows += [
        Origin(name, "(not shown)", found[name], "not a setting", wrong[name])
        for name in sorted(set(values) - set(FIELDS))
    ]
    return rows + ([Origin(FILE, "", f"file {FILE}", "the settings file", broken)] * bool(broken))


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _layers(file: dict[str, Any], flags: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Where values come from, each layer above the one before it."""
    around = {name: os.environ.get(_variable(name)) for name in FIELDS}
    return [
        (f"file {FILE}", file),
        ("environment", {name: value for name, value in around.items() if value}),
        ("flag", {name: value for name, value in flags.items() if value is not None}),
    ]


def _variable(name: str) -> str:
    return PREFIX + name.upper()


def _file() -> dict[str, Any]:
    """The values in the settings file."""
    path = Path(FILE)
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def _read(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of the settings that were given, and what is wrong with each that is not one."""
    values, wrong = dict[str, Any](), dict[str, str]()
    for name, each in FIELDS.items():
        if name in given:
            try:
                values[name] = each.metadata["kind"](given[name])
            except ValueError as error:
                wrong[name] = str(error)
    soft = 0 if "spool_soft_mib" in wrong else _or_default(values, "spool_soft_mib")
    if "spool_hard_mib" not in wrong and _or_default(values, "spool_hard_mib") < soft:
        wrong["spool_hard_mib"] = f"spool_soft_mib ({soft}) or more expected"
    strange = sorted(set(given) - set(FIELDS))
    wrong |= {name: REFUSED if _secret(name) else UNKNOWN for name in strange}
    return values, wrong


def _or_default(values: Mapping[str, Any], name: str) -> Any:
    return values.get(name, FIELDS[name].default)


def _secret(name: str) -> bool:
    return "password" in name and name not in FIELDS


def _refused(name: str, problem: str, value: Any) -> Stopped:
    if problem == REFUSED:
        step = f"move it to a file of its own (kafka_password_file), or to {PASSWORD}"
        return Stopped(f"setting {name}: {REFUSED}", step, Code.USAGE)
    return Stopped(
        f"setting {name}: {problem}, {value!r} found",
        "roundproof config show --origin shows where each value comes from",
        Code.USAGE,
    )


def _must_fit(settings: Settings, *, secured: bool) -> None:
    if secured and not settings.kafka_user:
        what = f"kafka_user: a user name expected for {settings.kafka_protocol}, nothing found"
        raise Stopped(what, f"set {PREFIX}KAFKA_USER, or kafka_user in {FILE}", Code.USAGE)
    if settings.kafka_framing == "confluent" and not settings.kafka_registry:
        what = "kafka_registry: an address expected for confluent framing, nothing found"
        raise Stopped(what, f"set {PREFIX}KAFKA_REGISTRY, or kafka_registry in {FILE}", Code.USAGE)
    if settings.kafka_ca:
        _must_be_certificates(settings.kafka_ca)


def _must_be_certificates(path: Path) -> None:
    import ssl

    path.open("rb").close()  # a missing file raises an error that names it
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except ssl.SSLError as error:
        what = f"{path}: certificates in PEM expected, {error.reason or error} found"
        step = "set kafka_ca to the PEM file of the CA"
        raise Stopped(what, step, Code.USAGE) from error


def _password(path: Path | None) -> str:
    """The password at Kafka: from the environment, or from a file that others cannot read."""
    password = os.environ.get(PASSWORD, "")
    if password or path is None:
        if not password:
            step = f"write it to a file and set kafka_password_file, or set {PASSWORD}"
            raise Stopped("kafka_user: a password expected, nothing found", step, Code.USAGE)
        return password
    if path.stat().st_mode & 0o007:
        raise Stopped(f"{path}: every user can read the password", f"chmod o= {path}", Code.USAGE)
    try:
        password = path.read_text("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        password, what = "", f"{path}: a password in UTF-8 expected, other bytes found"
    else:
        what = f"{path}: a password expected, nothing found"
    if not password:
        raise Stopped(what, f"write the password of kafka_user to {path}", Code.USAGE)
    return password
