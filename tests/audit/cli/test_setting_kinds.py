"""A setting that cannot be is refused in words that say what is expected."""

from pathlib import Path

import pytest

from audit.cli import settings
from audit.cli.errors import Stopped
from tests.support.tables import cases


@pytest.mark.parametrize(
    ("name", "value", "told"),
    cases("""
        kafka_prefix     | a b | up to 60 letters, digits, dots, dashes and underscores | topics
        kafka_protocol   | TLS | 'PLAINTEXT', 'SSL', 'SASL_PLAINTEXT' or 'SASL_SSL'     | a word
        kafka            | abc | host:port expected, or several separated             | a port
        workers          | two | a whole number                                         | a figure
        workers          | 1.5 | a whole number                                         | a half
        workers          | 0   | 1 or more                                              | too few
        workers          | 999 | 256 or less                                            | too many
        kafka_delivery_s | 0   | more than 0                                            | no time
        kafka_delivery_s | ten | a number                                               | words
        kafka_delivery_s | nan | more than 0                                            | no figure
        spool_hard_mib   | 1   | spool_soft_mib (1024) or more                          | limits
        read_only        | so  | true or false                                          | a choice
    """),
)
def test_what_is_expected(
    name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"ROUNDPROOF_{name.upper()}", value)

    with pytest.raises(Stopped) as stopped:
        settings.load()

    said = str(stopped.value)
    assert said.startswith(f"setting {name}: {told}")
    assert said.endswith(f"{value!r} found")
    assert "Input should" not in said
    assert "Value error" not in said


def test_a_name_that_is_no_setting() -> None:
    with pytest.raises(Stopped, match="setting wrokers: the name of a setting expected"):
        settings.load({"wrokers": 1})


@pytest.mark.parametrize(
    ("line", "told"),
    cases("""
        workers = true        | workers: a whole number expected, True found   | no figure
        workers = 1.5         | workers: a whole number expected, 1.5 found    | a half
        ack_wait_s = false    | ack_wait_s: a number expected, False found     | no time
        kafka_user = 7        | kafka_user: a text expected, 7 found           | no name
        home = 7              | home: a path expected, 7 found                 | no folder
        spool_soft_mib = 9000 | spool_hard_mib: spool_soft_mib (9000) or more  | by default
    """),
)
def test_what_the_file_must_hold(
    line: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / settings.FILE).write_text(line)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(Stopped) as stopped:
        settings.load()

    assert str(stopped.value).startswith(f"setting {told}")


def test_a_value_is_read_as_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / settings.FILE).write_text('workers = "3"\nack_wait_s = 1\nread_only = true\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROUNDPROOF_KAFKA_DELIVERY_S", "2.5")
    monkeypatch.setenv("ROUNDPROOF_WORKERS", "")

    found = settings.load({"home": "elsewhere"})

    assert (found.workers, found.ack_wait_s, found.read_only) == (3, 1.0, True)
    assert (found.kafka_delivery_s, found.home) == (2.5, Path("elsewhere"))
