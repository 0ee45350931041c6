"""Retrying while Kafka is unreachable, at growing intervals."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from ingest.kafka.client import KafkaAway, NoTopic
from ingest.kafka.confluent_framing import RegistryAway
from ingest.service_log import log

AGAIN_S = (1.0, 5.0)  # the first pause between two attempts, and the longest
AFRESH_S = 60.0  # after running so long, a failure is a new outage
NAP_S = 0.2  # how often a pause checks for shutdown

Done = TypeVar("Done")


class ShutdownRequested(Exception):
    """Shutdown was requested while waiting for Kafka; all earlier work is done."""


class KafkaRetry:
    """Retries a call until Kafka answers, shutdown is requested, or `most_s` have passed."""

    def __init__(self, stopped: Callable[[], bool], most_s: float | None = None) -> None:
        """With `most_s=None` it retries for ever."""
        self._stopped, self._most_s = stopped, most_s
        self._over: KafkaAway | None = None

    def call_with_retry(self, do: Callable[[], Done]) -> Done:
        """Call `do()`, retrying while Kafka is unreachable; calls may nest."""
        begun, pause, told = time.monotonic(), AGAIN_S[0], ""
        while True:
            tried = time.monotonic()
            try:
                done = do()
            except KafkaAway as error:
                if error is self._over:
                    raise
                if self._stopped():
                    raise ShutdownRequested(str(error)) from error
                if time.monotonic() - tried > AFRESH_S:
                    begun, pause, told = time.monotonic(), AGAIN_S[0], ""
                waited_s = time.monotonic() - begun
                if self._most_s is not None and waited_s >= self._most_s:
                    self._over = _over(error, waited_s)
                    raise self._over from error
                if told != str(error):  # log each message once
                    told = str(error)
                    log.warning("kafka_away", why=told, again_s=pause)
                self._rest(pause)
                pause = min(2 * pause, AGAIN_S[1])
            else:
                if told and not self._stopped():
                    log.info("kafka_found")
                return done

    def _rest(self, pause: float) -> None:
        until = time.monotonic() + pause
        while not self._stopped() and (left := until - time.monotonic()) > 0:
            time.sleep(min(NAP_S, left))


def run_with_retry(do: Callable[[], None], stopped: Callable[[], bool], *, ends: bool) -> None:
    """Run a service until shutdown, and start it again whenever Kafka was unreachable.

    With `ends`, `do` stops by itself and does not wait for Kafka.
    """
    if ends:
        do()
        return
    with suppress(ShutdownRequested):
        KafkaRetry(stopped).call_with_retry(do)


def _over(error: KafkaAway, waited_s: float) -> KafkaAway:
    """The last error with the time waited; its class stays, since it decides the next step."""
    if isinstance(error, NoTopic):
        return NoTopic(f"waited {waited_s:.0f} s: {error}")
    if isinstance(error, RegistryAway):
        return RegistryAway(f"the registry was unreachable for {waited_s:.0f} s: {error}")
    return KafkaAway(f"Kafka was unreachable for {waited_s:.0f} s: {error}")
