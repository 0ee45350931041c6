"""`roundproof ingest` as people type it."""

import json
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from audit.cli import app
from audit.cli.errors import Code, explained
from tests.support.readings import container, json_line, talk

SERVE = ("serve", "--keys", "{tmp}/keys.toml")
TLS = ("--tls-cert", "{tmp}/photo.png", "--tls-key", "{tmp}/photo.png")
ACCEPTED = {
    "accepted": 30, "clock_steps": 0, "conflicts": 0, "gaps": 0, "late": 0, "stopped": 0,
    "twins": 0,
}  # fmt: skip


def typed(home: Path, *words: str) -> Result:
    return CliRunner().invoke(app.command_line(), ["--home", str(home), "ingest", *words])


def files(folder: Path) -> tuple[str, str]:
    lines, avro = folder / "lines.jsonl", folder / "more.avro"
    lines.write_bytes(b"".join(map(json_line, list(talk(60))[:30])) + b"oops\n")
    avro.write_bytes(container(list(talk(60))[30:]))
    return str(lines), str(avro)


def test_files_are_counted_one_by_one_and_together(tmp_path: Path) -> None:
    lines, avro = files(tmp_path)

    told = json.loads(typed(tmp_path / "var", "file", lines, avro, "--json").stdout)

    assert told.pop("files") == {
        lines: ACCEPTED | {"dead_lettered": 1},
        avro: ACCEPTED | {"dead_lettered": 0},
    }
    assert told == ACCEPTED | {"accepted": 60, "dead_lettered": 1}


def test_counts_for_people_are_one_a_line(tmp_path: Path) -> None:
    done = typed(tmp_path / "var", "file", *files(tmp_path))

    assert done.stdout.splitlines()[0].split() == ["accepted", "60"]
    assert "dead lettered             1" in done.stdout
    assert "next: roundproof dlq list" in done.stderr


@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_dead_letters_are_told_by_the_exit_code(tmp_path: Path, more: list[str]) -> None:
    jsonl, avro = files(tmp_path)

    assert typed(tmp_path / "var", "file", avro, *more).exit_code == Code.OK
    assert typed(tmp_path / "var", "file", jsonl, *more).exit_code == Code.FINDINGS


def test_status_shows_what_the_log_holds(tmp_path: Path) -> None:
    typed(tmp_path / "var", "file", *files(tmp_path))

    told = json.loads(typed(tmp_path / "var", "status", "--json").stdout)
    shown = typed(tmp_path / "var", "status").stdout.splitlines()

    last = {"events": 20, "last_at": "2026-03-01T20:00:19.004000Z"}
    assert told["tables"] == [{"table_id": table, **last} for table in ("T0", "T1", "T2")]
    assert told["dead_letters"] == {"not_json": 1}
    assert shown[0].split() == ["T0", "20", "events", "2026-03-02T03:00:19.004000+07:00"]
    assert shown[-1].split() == ["dead", "letters", "1", "not_json"]


def test_an_empty_house_says_what_to_do(tmp_path: Path) -> None:
    done = typed(tmp_path / "var", "status")

    assert (done.exit_code, done.stdout) == (0, "")
    assert "next: roundproof ingest file FILE" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("file", "{tmp}/nowhere"), Code.NOT_FOUND, "nowhere: No such file"),
        (("file", "{tmp}"), Code.USAGE, "Is a directory"),
        (("file", "{tmp}/photo.png"), Code.USAGE, "JSON lines or an Avro container"),
        (("serve",), Code.USAGE, "no device has a key"),
        (
            ("serve", "--host", "0.0.0.0"),
            Code.USAGE,
            "without TLS others on the network could read",
        ),
        (("serve", "--tls-cert", "{tmp}/photo.png"), Code.USAGE, "must be given together"),
        (("serve", "--tls-key", "{tmp}/photo.png"), Code.USAGE, "must be given together"),
        (
            (*SERVE, "--tls-cert", "{tmp}/no", "--tls-key", "{tmp}/x"),
            Code.NOT_FOUND,
            "/no: No such",
        ),
        ((*SERVE, *TLS), Code.USAGE, "photo.png: a certificate and its key in PEM expected"),
        ((*SERVE, "--port", "{taken}"), Code.UNREACHABLE, "{taken}: Address already in use"),
        ((*SERVE, "--host", "::1", "--port", "{taken}", *TLS), Code.USAGE, "PEM expected"),
    ],
)
def test_what_goes_wrong_has_its_code(
    tmp_path: Path, words: tuple[str, ...], code: Code, told: str
) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    (tmp_path / "keys.toml").write_text(
        f'shoe-3 = {{key = "{"k" * 16}", kind = "shoe", tables = ["T12"]}}'
    )
    (tmp_path / "keys.toml").chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        named = {"tmp": tmp_path, "taken": taken.getsockname()[1]}

        done = typed(tmp_path / "var", *(word.format(**named) for word in words))

    assert done.exception is not None
    stopped = explained(done.exception)
    assert stopped.code == code
    assert told.format(**named) in str(stopped)
    assert stopped.next_step
    assert "listening" not in done.stderr
