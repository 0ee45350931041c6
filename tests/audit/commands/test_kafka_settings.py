"""How Kafka is set: by rank as every setting, and its password by file or environment alone."""

import json
import logging
import os
from pathlib import Path

import pytest
import typer

from audit.cli import app, settings
from audit.cli.errors import Code, Stopped
from ingest.kafka.client import Kafka, KafkaDenied, admin, producer
from tests.broker.certificates import authority
from tests.broker.fixtures import Secured
from tests.support.command_line import called, roundproof

pytestmark = pytest.mark.slow

PLANTED = "p1anted-s3cret-w0rd"
SET = {
    "ROUNDPROOF_KAFKA": "127.0.0.1:1",
    "ROUNDPROOF_KAFKA_PROTOCOL": "SASL_SSL",
    "ROUNDPROOF_KAFKA_USER": "gateway",
    "ROUNDPROOF_KAFKA_DELIVERY_S": "0.3",
}


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings but those of the test."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("ROUNDPROOF_KAFKA")]:
        monkeypatch.delenv(name)


def context() -> typer.Context:
    """What a command is given."""
    ctx = typer.Context(typer.main.get_command(app.command_line()))
    ctx.obj = settings.load()
    return ctx


def given(monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    for name, value in (SET | more).items():
        monkeypatch.setenv(name, value)


def test_without_an_address_there_is_no_kafka() -> None:
    assert settings.kafka_of(context()) is None
    with pytest.raises(Stopped, match="no broker is set") as stopped:
        settings.must_have_kafka(context())
    assert stopped.value.code is Code.USAGE


@pytest.mark.parametrize(
    "text",
    ["broker", "broker:", "broker:1 ", "a:1,", "a:1;b:2", ":9092", "a:0", "a:9092,b:65536"],
)
def test_an_address_has_a_host_and_a_port(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, ROUNDPROOF_KAFKA=text)

    with pytest.raises(Stopped, match=r"setting kafka: .*host:port expected") as stopped:
        settings.load()
    assert stopped.value.code is Code.USAGE


@pytest.mark.parametrize("text", ["broker:9092", "10.0.0.1:1,b-2.pit.lan:65000", "[::1]:9092"])
def test_addresses_may_be_several(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, ROUNDPROOF_KAFKA=text)

    assert settings.load().kafka == text


def test_everything_comes_from_environment_and_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, ca = tmp_path / "secret", tmp_path / "ca.crt"
    secret.write_text(f"{PLANTED}\n")
    secret.chmod(0o640)
    authority().write(ca)
    (tmp_path / "roundproof.toml").write_text(
        f'kafka = "k1:9092,k2:9092"\nkafka_prefix = "pit1."\nkafka_ca = "{ca}"\n'
        f'kafka_password_file = "{secret}"\nkafka_framing = "confluent"\n'
        'kafka_registry = "http://registry:8081"\n'
    )
    given(monkeypatch)
    monkeypatch.delenv("ROUNDPROOF_KAFKA")

    assert settings.kafka_of(context()) == Kafka(
        "k1:9092,k2:9092",
        protocol="SASL_SSL",
        user="gateway",
        password=PLANTED,
        ca=ca,
        prefix="pit1.",
        framing="confluent",
        registry="http://registry:8081",
        delivery_s=0.3,
    )


def test_the_environments_password_goes_before_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("another")
    secret.chmod(0o600)
    given(
        monkeypatch, ROUNDPROOF_KAFKA_PASSWORD=PLANTED, ROUNDPROOF_KAFKA_PASSWORD_FILE=str(secret)
    )

    assert settings.must_have_kafka(context()).password == PLANTED


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"ROUNDPROOF_KAFKA_USER": ""}, "kafka_user: a user name expected"),
        ({}, "kafka_user: a password expected, nothing found"),
        ({"ROUNDPROOF_KAFKA_PASSWORD_FILE": "open"}, "open: every user can read the password"),
        ({"ROUNDPROOF_KAFKA_FRAMING": "confluent"}, "kafka_registry: an address expected"),
        ({"ROUNDPROOF_KAFKA_FRAMING": "protobuf"}, "setting kafka_framing: .* 'protobuf' found"),
        ({"ROUNDPROOF_KAFKA_PROTOCOL": "TLS"}, "setting kafka_protocol: .* 'TLS' found"),
        ({"ROUNDPROOF_KAFKA_PREFIX": "../"}, "setting kafka_prefix: "),
        ({"ROUNDPROOF_KAFKA_PASSWORD_FILE": "empty"}, "empty: a password expected, nothing found"),
        ({"ROUNDPROOF_KAFKA_PASSWORD_FILE": "bytes"}, "bytes: a password in UTF-8 expected"),
        ({"ROUNDPROOF_KAFKA_CA": "empty"}, "empty: certificates in PEM expected"),
        ({"ROUNDPROOF_SPOOL_SOFT_MIB": "9000"}, "spool_hard_mib: spool_soft_mib .9000. or more"),
    ],
)
def test_what_does_not_fit_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], told: str
) -> None:
    (tmp_path / "open").write_text(PLANTED)
    (tmp_path / "open").chmod(0o644)
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for name in ("empty", "bytes"):
        (tmp_path / name).chmod(0o600)
    given(monkeypatch, **change)

    with pytest.raises(Stopped, match=told) as stopped:
        settings.kafka_of(context())

    assert stopped.value.code is Code.USAGE


def test_a_password_among_the_settings_is_refused_and_not_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "roundproof.toml").write_text(f'kafka_password = "{PLANTED}"\n')

    assert called("config", "show", "--debug") == Code.USAGE

    told = capsys.readouterr()
    assert "setting kafka_password: a password must not stand in the settings" in told.err
    assert PLANTED not in told.out + told.err


@pytest.mark.parametrize(
    "words",
    [
        "config show --origin",
        "config show --json",
        "doctor --debug",
        "kafka check --debug",
        "kafka init --acls --debug",
        "kafka check --help",
    ],
)
@pytest.mark.parametrize("by_file", [False, True], ids=["environment", "file"])
def test_a_planted_secret_is_never_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: str,
    *,
    by_file: bool,
) -> None:
    given(monkeypatch, **planted(tmp_path, by_file=by_file))

    called(*words.split(), "--home", str(tmp_path / "var"))

    told = "".join(capsys.readouterr())
    assert told
    assert PLANTED not in told


def planted(folder: Path, *, by_file: bool) -> dict[str, str]:
    secret = folder / "secret"
    secret.write_text(PLANTED)
    secret.chmod(0o600)
    if by_file:
        return {"ROUNDPROOF_KAFKA_PASSWORD_FILE": str(secret)}
    return {"ROUNDPROOF_KAFKA_PASSWORD": PLANTED}


def test_a_process_of_its_own_says_no_secret_either(tmp_path: Path) -> None:
    set_to = SET | planted(tmp_path, by_file=True)

    told = roundproof("kafka", "check", "--debug", **set_to)

    assert told.returncode == Code.UNREACHABLE
    assert "cannot reach Kafka at 127.0.0.1:1" in told.stderr
    assert PLANTED not in told.stdout + told.stderr


def test_no_log_record_holds_a_secret(secured: Secured, caplog: pytest.LogCaptureFixture) -> None:
    """kafka-python at its most talkative, when all is well and when it is not."""
    caplog.set_level(logging.DEBUG)
    good = secured.user("gateway", delivery_s=3)
    wrong = Kafka(good.bootstrap, good.protocol, good.user, PLANTED, good.ca, delivery_s=3)

    for open_ in (admin, producer):
        open_(good).close()
        with pytest.raises(KafkaDenied) as denied:
            open_(wrong)
        assert PLANTED not in str(denied.value) + repr(denied.value.__cause__)

    said = "\n".join(record.getMessage() for record in caplog.records)
    assert "kafka" in said
    assert PLANTED not in said + repr(wrong)
    assert good.password not in said + repr(good)


def test_settings_tell_where_kafka_comes_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(monkeypatch)

    assert called("config", "show", "--json") == Code.OK

    told = json.loads(capsys.readouterr().out)
    assert told["kafka"] == {"value": "127.0.0.1:1", "origin": "environment ROUNDPROOF_KAFKA"}
    assert "kafka_password" not in told
