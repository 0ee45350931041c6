"""The settings: a flag wins over the environment, which wins over the file and the default."""

import os
import re
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer
from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from audit.cli import setting_errors
from audit.cli.errors import Code, Stopped
from schemas.ranks import LADDER, OFFICES

if TYPE_CHECKING:
    from ingest.kafka.client import Kafka

FILE = "roundproof.toml"
ADDRESS = re.compile(r"(?:[0-9A-Za-z.-]+|\[[0-9A-Fa-f:]+\]):([0-9]{1,5})")
TOPICS = re.compile(r"[0-9A-Za-z._-]{0,60}")
ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._~\-]{0,63}")
PORTS = range(1, 65_536)
PREFIX = "ROUNDPROOF_"
REFUSED = "a password must not stand in the settings"
PASSWORD = (
    PREFIX + "KAFKA_PASSWORD"
)  # not a setting: it stands in no settings file and is not shown


class Settings(BaseSettings):
    """Every setting, with its default."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, toml_file=FILE, extra="forbid", frozen=True
    )

    home: Path = Field(Path("var"), description="folder of the log and everything derived from it")
    workers: int = Field(os.cpu_count() or 1, ge=1, le=256, description="processes of a replay")
    zone: str = Field(
        "Asia/Ho_Chi_Minh", description="time zone of the venue, for the times that people read"
    )
    lang: Literal["en", "vi"] = Field("en", description="language of rounds explained to people")
    person: str = Field(
        "", description="pseudonym of the person at this desk, for cases and access"
    )
    rank: str = Field("", description="rank or office of that person, such as pit_manager")
    jurisdiction: str = Field(
        "VN", description="whose duties of notice and retention apply to new cases"
    )
    read_only: bool = Field(
        False, description="the house is a copy for reading only: no access records, no cases"
    )

    kafka: str = Field("", description="addresses of Kafka brokers, host:port,host:port")
    kafka_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = Field(
        "PLAINTEXT", description="protocol to Kafka; SASL is SCRAM-SHA-512"
    )
    kafka_user: str = Field("", description="user name at Kafka, for a SASL protocol")
    kafka_password_file: Path | None = Field(
        None, description=f"file with the user's password; or {PASSWORD} in the environment"
    )
    kafka_ca: Path | None = Field(None, description="PEM file of the CA of Kafka's certificates")
    kafka_prefix: str = Field("rp.", description="prefix of our topics' names")
    kafka_framing: Literal["single-object", "confluent"] = Field(
        "single-object", description="header before a message's Avro bytes"
    )
    kafka_registry: str = Field(
        "", description="address of the schema registry, for confluent framing"
    )
    kafka_retention_days: int = Field(
        400, ge=1, description="days that topics must keep their messages, at least"
    )
    kafka_delivery_s: float = Field(
        10.0,
        gt=0,
        le=300,
        description="seconds without an answer after which Kafka counts as unreachable",
    )

    ack_wait_s: float = Field(
        2.0, ge=0, le=60, description="seconds that a device's acknowledgement waits for Kafka"
    )
    spool_soft_mib: int = Field(
        1_024, ge=1, description="MiB waiting for Kafka above which the gateway raises an alarm"
    )
    spool_hard_mib: int = Field(
        8_192,
        ge=1,
        validate_default=True,
        description="MiB waiting for Kafka above which the gateway tells devices to wait",
    )
    spool_keep_days: int = Field(
        0, ge=0, description="gaming days of a table that ingest trim keeps on disk; 0 keeps all"
    )

    @field_validator("zone")
    @classmethod
    def _is_zone(cls, text: str) -> str:
        try:
            ZoneInfo(text)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("a time zone such as Asia/Ho_Chi_Minh or UTC expected") from None
        return text

    @field_validator("person")
    @classmethod
    def _is_person(cls, text: str) -> str:
        if text and not ID.fullmatch(text):
            raise ValueError("an id of letters, digits, . _ ~ - expected")
        return text

    @field_validator("rank")
    @classmethod
    def _is_rank(cls, text: str) -> str:
        known = (*LADDER, *OFFICES)
        if text and text not in known:
            raise ValueError(f"one of {', '.join(known)} expected")
        return text

    @field_validator("kafka")
    @classmethod
    def _addresses(cls, text: str) -> str:
        found = [ADDRESS.fullmatch(each) for each in text.split(",")] if text else []
        if not all(each and int(each[1]) in PORTS for each in found):
            raise ValueError("host:port expected, or several separated by commas")
        return text

    @field_validator("kafka_prefix")
    @classmethod
    def _begins_a_topic(cls, text: str) -> str:
        if not TOPICS.fullmatch(text):
            raise ValueError("up to 60 letters, digits, dots, dashes and underscores expected")
        return text

    @field_validator("spool_hard_mib")
    @classmethod
    def _above_the_soft_one(cls, mib: int, told: ValidationInfo) -> int:
        soft = told.data.get("spool_soft_mib", 0)
        if mib < soft:
            raise ValueError(f"spool_soft_mib ({soft}) or more expected")
        return mib

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags first, then the environment, then the file."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


class Origin(NamedTuple):
    """One setting: its value, where the value comes from, and what is wrong with it."""

    name: str
    value: str
    origin: str
    about: str
    problem: str = ""


def load(flags: dict[str, Any] | None = None) -> Settings:
    """Load the settings; a flag of None was not given."""
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    try:
        return Settings(**given)
    except TOMLDecodeError as error:
        raise Stopped(f"{FILE}: {error}", f"correct {FILE}, or move it away", Code.USAGE) from error
    except ValidationError as error:
        raise _refused(error) from None  # its text repeats the values


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


def origins_of(ctx: typer.Context) -> list[Origin]:
    """Every setting of this command line with its origin, and what is wrong with it."""
    return origins({"home": ctx.find_root().params.get("home")})


def valid_home(ctx: typer.Context) -> Path | None:
    """The folder of the house, also if another setting is wrong; None if it is wrong itself."""
    homes = (row for row in origins_of(ctx) if row.name == "home" and not row.problem)
    return next((Path(row.value) for row in homes), None)


def origins(flags: dict[str, Any]) -> list[Origin]:
    """Every setting with the origin of its value, and what is wrong with it."""
    file, broken = _file()
    named = {name: PREFIX + name.upper() for name in Settings.model_fields}
    layers: list[tuple[str, dict[str, Any]]] = [
        (f"file {FILE}", file),
        ("environment", {n: os.environ[v] for n, v in named.items() if os.environ.get(v)}),
        ("flag", {name: value for name, value in flags.items() if value is not None}),
    ]
    values, found = dict[str, Any](), dict[str, str]()
    for origin, layer in layers:
        values |= layer
        found |= {
            name: f"environment {named[name]}" if origin == "environment" else origin
            for name in layer
        }
    wrong = _wrong(values)
    rows = [
        Origin(
            name,
            _text(values.get(name, field.get_default())),
            found.get(name, "default"),
            field.description or "",
            wrong.get(name, ""),
        )
        for name, field in Settings.model_fields.items()
    ]
    strange = sorted(set(values) - set(Settings.model_fields))
    rows += [
        Origin(name, "(not shown)", found[name], "not a setting", wrong.get(name, ""))
        for name in strange
    ]
    return rows + ([Origin(FILE, "", f"file {FILE}", "the settings file", broken)] * bool(broken))


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _file() -> tuple[dict[str, Any], str]:
    """The values in the settings file, or why it cannot be read."""
    try:
        return TomlConfigSettingsSource(Settings)(), ""
    except (TOMLDecodeError, OSError, UnicodeDecodeError) as error:
        return {}, f"TOML expected; {error}"


def _wrong(values: dict[str, Any]) -> dict[str, str]:
    """What is wrong with each invalid value, by setting."""
    try:
        Settings.model_validate(values)
    except ValidationError as error:
        named = {".".join(map(str, each["loc"])): each for each in error.errors(include_url=False)}
        return {
            name: REFUSED if _secret(name) else setting_errors.expected(each)
            for name, each in named.items()
        }
    return {}


def _secret(name: str) -> bool:
    return "password" in name and name not in Settings.model_fields


def _refused(error: ValidationError) -> Stopped:
    first = error.errors(include_url=False)[0]
    name = ".".join(map(str, first["loc"]))
    if _secret(name):
        step = f"move it to a file of its own (kafka_password_file), or to {PASSWORD}"
        return Stopped(f"setting {name}: {REFUSED}", step, Code.USAGE)
    return Stopped(
        f"setting {name}: {setting_errors.expected(first)}, {first['input']!r} found",
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
