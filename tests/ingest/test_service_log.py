"""A log line sets structlog up first, and only where somebody writes one."""

import structlog.testing

from ingest import service_log
from ingest.service_log import log


def test_the_first_line_sets_structlog_up_and_the_second_does_not() -> None:
    calls: list[str] = []
    service_log.set_up_by(lambda: calls.append("set up"))

    with structlog.testing.capture_logs() as lines:
        log.info("table_opened", table="T1")
        log.warning("reading_rejected", device="shoe-3")

    assert calls == ["set up"]
    assert lines == [
        {"event": "table_opened", "table": "T1", "log_level": "info"},
        {"event": "reading_rejected", "device": "shoe-3", "log_level": "warning"},
    ]


def test_what_was_not_needed_is_dropped() -> None:
    calls: list[str] = []
    service_log.set_up_by(lambda: calls.append("set up"))
    service_log.set_up_by(None)

    with structlog.testing.capture_logs() as lines:
        log.error("broker_lost")

    assert (calls, len(lines)) == ([], 1)
