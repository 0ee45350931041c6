"""A setting that cannot be is refused in words that say what is expected."""

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
        spool_hard_mib   | 1   | spool_soft_mib (1024) or more                          | limits
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
