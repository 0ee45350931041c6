"""The log that holds cases and access records: the house's own, or the topics of another one."""

from typing import TYPE_CHECKING

import typer

from audit.cli import settings
from audit.cli.errors import Code, Stopped

if TYPE_CHECKING:
    from ingest.log import LogReader


def desk_log(ctx: typer.Context, kind: str) -> "LogReader":
    """The log of this name, for reading."""
    if kind == "kafka":
        from ingest.kafka.desk_topics import DeskTopics

        return DeskTopics(settings.must_have_kafka(ctx))
    if kind != "local":
        raise Stopped(f"--from {kind}: local or kafka expected", "leave out --from", Code.USAGE)
    from ingest.local.log import LocalLog

    return LocalLog(settings.of(ctx).home / "log")
