"""Kafka clients: how we connect to a cluster, and what its errors mean for the log.

kafka-python limits no buffer (`producer.py` does). On a wrong password or certificate it retries
until a timeout and then reports only the timeout. So we record why connections failed, and stop at
once where a retry cannot help. A broker that hangs up counts as unreachable, unless it answers a
request in another protocol (`probe.py`): then our settings are wrong.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, errors
from kafka.net.compat import KafkaNetClient
from kafka.net.inet import create_connection
from kafka.net.manager import KafkaConnectionManager
from kafka.net.selector import NetworkSelector
from kafka.net.transport import KafkaSSLTransport, KafkaTCPTransport
from kafka.partitioner import murmur2

from ingest.kafka import probe
from ingest.log import MAX_BODY, LogUnwritable

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
FRAMINGS = ("single-object", "confluent")
MECHANISM = "SCRAM-SHA-512"
MAX_REQUEST = MAX_BODY + 64 * 1024  # the longest record, its key and its framing
BATCH = 128 * 1024
ASKED_AGAIN = 3
FETCH = 16 * 1024 * 1024  # bytes of a broker's answer that a consumer holds

# Without a handler, Python prints kafka-python's warnings into our output. At the debug level the
# admin client logs its whole configuration, password included.
logging.getLogger("kafka").addHandler(logging.NullHandler())
logging.getLogger("kafka.admin.client").setLevel(logging.INFO)


@dataclass(frozen=True, slots=True)
class Kafka:
    """Where the cluster is, who we are there, and how its topics are named and framed."""

    bootstrap: str
    protocol: str = "PLAINTEXT"
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None
    prefix: str = "rp."
    framing: str = "single-object"
    registry: str = ""
    delivery_s: float = 10.0

    def topic(self, stream: str) -> str:
        """The topic of a stream: `events` is `rp.events`."""
        return self.prefix + stream


class KafkaAway(LogUnwritable):
    """No broker was reached, or none answered in time; a retry may help."""


class NoTopic(KafkaAway):
    """A topic does not exist: it was never created, or somebody deleted it."""


class TopicRemade(KafkaAway):
    """The partition count of a topic changed; remembered offsets no longer apply."""


class KafkaDenied(LogUnwritable):
    """The cluster refused us; the message names the password, TLS or a missing right."""


class NotAuthorised(KafkaDenied):
    """The cluster knows our user, and the user lacks a right."""


def producer(kafka: Kafka, **more: Any) -> Any:
    """A KafkaProducer that waits for all replicas; its own retries store nothing twice."""
    ms = int(kafka.delivery_s * 1_000)
    settings: dict[str, Any] = {
        "acks": "all",
        "enable_idempotence": True,
        "compression_type": "lz4",
        "batch_size": BATCH,
        "max_request_size": MAX_REQUEST,
        "delivery_timeout_ms": ms,
        "request_timeout_ms": ms // 2,
        "max_block_ms": ms,
        "allow_auto_create_topics": False,
    }
    return _opened(KafkaProducer, kafka, settings | more)


def consumer(kafka: Kafka, group: str | None = None, **more: Any) -> Any:
    """A KafkaConsumer that commits only on request; it starts at 0 where nothing is committed."""
    settings: dict[str, Any] = {
        "group_id": group,
        "enable_auto_commit": False,
        "auto_offset_reset": "earliest",
        "fetch_max_bytes": FETCH,
        "allow_auto_create_topics": False,
    }
    return _opened(KafkaConsumer, kafka, settings | more)


def admin(kafka: Kafka) -> Any:
    """A KafkaAdminClient."""
    return _opened(KafkaAdminClient, kafka, {})


def close_now(made: Any) -> None:
    """Close a producer without waiting for unsent messages; nobody counts on them any more.

    Its own `close` waits for them first, and leaves its thread running if that fails.
    """
    made._sender.force_close()
    made._sender.join(1.0)
    if not made._sender.is_alive():
        made.close(timeout=0)


def numbers(made: Any, topic: str, timeout_ms: int, *, anew: bool = False) -> list[int]:
    """The partition numbers of a topic, empty if there is no such topic; `anew` asks the broker.

    kafka-python's own call asks for all topics, so it never reports that this one is forbidden.
    An answer may belong to an older request, so we ask again before we call the topic missing.
    """
    asked = made._cluster.add_topic(topic)
    if anew:
        asked = made._cluster.request_update()
    for _ in range(ASKED_AGAIN):
        made._net.run(made._manager.wait_for, asked, timeout_ms)
        if topic in made._cluster.unauthorized_topics:
            raise errors.TopicAuthorizationFailedError(topic)
        found = made._cluster.partitions_for_topic(topic)
        if found:
            return sorted(found)
        asked = made._cluster.request_update()
    return []


def partition_of(table_id: str, partitions: int) -> int:
    """The partition of a table, as the default partitioner of Java clients chooses it."""
    place: int = (murmur2(table_id.encode()) & 0x7FFFFFFF) % partitions
    return place


@contextmanager
def translated(
    doing: str, kafka: Kafka | None = None, *, leave: tuple[type[Exception], ...] = ()
) -> Iterator[None]:
    """Turn kafka-python's errors into KafkaAway and KafkaDenied; `doing` names the attempt.

    Errors in `leave` pass unchanged.
    """
    at = f" at {kafka.bootstrap}" if kafka else ""
    try:
        yield
    except leave:
        raise
    except errors.AuthorizationError as error:
        why = f"{_lacking(kafka)} ({type(error).__name__})"
        raise NotAuthorised(f"not authorised to {doing}{at}: {why}") from error
    except (errors.SaslAuthenticationFailedError, _Denied) as error:
        raise KafkaDenied(f"cannot {doing}{at}: {_said(error)}") from error
    except errors.UnknownTopicOrPartitionError as error:
        told = "there is no such topic; roundproof kafka init creates it"
        raise NoTopic(f"cannot {doing}{at}: {told}") from error
    except (errors.RetriableError, errors.BrokerNotAvailableError) as error:
        raise KafkaAway(f"cannot {doing}{at}: {_said(error)}") from error
    except errors.KafkaError as error:
        if "AuthorizationFailed" in str(error):  # the idempotent producer wraps this error
            raise NotAuthorised(f"not authorised to {doing}{at}: {_lacking(kafka)}") from error
        raise LogUnwritable(f"cannot {doing}{at}: {_said(error)}") from error


def _lacking(kafka: Kafka | None) -> str:
    who = f"user {kafka.user!r}" if kafka and kafka.user else "an anonymous client"
    return f"{who} lacks the right"


def _opened(kind: Callable[..., Any], kafka: Kafka, settings: dict[str, Any]) -> Any:
    """Open a client; if that fails, close its sockets."""
    clients: list[Any] = []

    def client(**configs: Any) -> Any:
        clients.append(_client(**configs))
        return clients[-1]

    with translated("reach Kafka", kafka):
        try:
            return kind(**_common(kafka), **settings, kafka_client=client)
        except BaseException:
            for each in clients:
                each.close()
            raise


def _common(kafka: Kafka) -> dict[str, Any]:
    ms = int(kafka.delivery_s * 1_000)
    settings: dict[str, Any] = {
        "bootstrap_servers": kafka.bootstrap.split(","),
        "security_protocol": kafka.protocol,
        "bootstrap_timeout_ms": ms,
        "reconnect_backoff_max_ms": 1_000,
    }
    if kafka.protocol.endswith("SSL"):
        settings["ssl_cafile"] = str(kafka.ca) if kafka.ca else None
    if kafka.protocol.startswith("SASL"):
        settings["sasl_mechanism"] = MECHANISM
        settings["sasl_plain_username"] = kafka.user
        settings["sasl_plain_password"] = kafka.password
    return settings


class _Denied(errors.KafkaError):  # type: ignore[misc]  # kafka-python has no types
    """A connection that no retry will open; the text says why."""


class _Manager(KafkaConnectionManager):  # type: ignore[misc]  # kafka-python has no types
    """Connections that record why they failed, and give up at once where a retry is useless."""

    def __init__(self, net: Any, **configs: Any) -> None:
        super().__init__(net, **configs)
        self._last: BaseException | None = None
        self._tries, self._watched = 0, set[int]()
        self._address: probe.Address | None = None  # of the last connection that failed

    def get_connection(self, node_id: Any, *args: Any, **options: Any) -> Any:
        """The connection to a node; until the cluster was reached once, a refusal is final."""
        if self._last and not self.bootstrapped:
            _give_up_if_final(self._last, self.config)
            self._give_up_if_misconfigured()
        conn = super().get_connection(node_id, *args, **options)
        if id(conn) not in self._watched:
            self._watched = {*map(id, self._conns.values()), id(conn)}
            conn.init_future.add_errback(lambda error: self._failed(conn, error))
            conn.close_future.add_errback(lambda error: self._hung_up(conn, error))
        return conn

    async def _do_bootstrap(self, deadline: float | None) -> Any:
        try:
            return await super()._do_bootstrap(deadline)
        except errors.KafkaTimeoutError as error:
            if self._last is None:
                raise
            raise errors.KafkaTimeoutError(f"{error.args[0]}: {_said(self._last)}") from self._last

    async def _build_transport(self, node: Any, timeout_at: float | None = None) -> Any:
        """A connected transport; kafka-python would leave the socket of a failed handshake open."""
        options, proxy = self.config["socket_options"], self.config["proxy_url"]
        sock = await create_connection(self._net, node.host, node.port, options, proxy, timeout_at)
        if self.ssl_enabled:
            tls = {key: value for key, value in self.config.items() if key.startswith("ssl_")}
            transport = _Secured(self._net, sock, host=node.host, **tls)
        else:
            transport = _Unsecured(self._net, sock, host=node.host)
        try:
            await transport.handshake()
        except Exception as error:
            transport.abort(error)
            raise errors.KafkaConnectionError(f"Handshake failed: {error}") from error
        return transport

    def _failed(self, conn: Any, error: BaseException) -> None:
        node = self.cluster.broker_metadata(conn.node_id)
        self._address = probe.Address(node.host, node.port) if node else None
        self._last = error
        self._tries += 1

    def _hung_up(self, conn: Any, error: BaseException) -> None:
        """Note a broker that accepts a connection and closes it at the first request.

        A listener that wants a password does so.
        """
        if conn.init_future.succeeded() and not conn.sasl_enabled:
            self._failed(conn, errors.KafkaConnectionError(f"{UNANSWERED} ({_said(error)})"))

    def _give_up_if_misconfigured(self) -> None:
        """Raise _Denied where a broker that keeps hanging up answers another protocol."""
        address, self._address = self._address, None  # probe once a failure
        if address is None or self._tries < HUNG_UP or self.config["proxy_url"]:
            return
        text, protocol = str(self._last), self.config["security_protocol"]
        tls = protocol.endswith("SSL")
        if tls and any(sign in text for sign in CUT) and probe.speaks_openly(address):
            raise _Denied(NO_TLS)
        ca = self.config["ssl_cafile"]
        if UNANSWERED in text and probe.asks_for_password(address, tls=tls, ca=ca):
            raise _Denied("the broker asks for a user and password (kafka_protocol)")


class _LastWords:
    """Reads the last bytes before a broker hangs up, such as a reason; kafka-python drops them."""

    def _sock_recv(self) -> tuple[bytes, Any]:
        said, error = super()._sock_recv()  # type: ignore[misc]  # the transport's, mixed in below
        return said, None if said else error


class _Unsecured(_LastWords, KafkaTCPTransport):  # type: ignore[misc]  # kafka-python has no types
    """A connection without TLS."""


class _Secured(_LastWords, KafkaSSLTransport):  # type: ignore[misc]  # kafka-python has no types
    """A connection with TLS."""


def _client(**configs: Any) -> Any:
    net = NetworkSelector(**configs)
    return KafkaNetClient(net=net, manager=_Manager(net, **configs), **configs)


def _give_up_if_final(error: BaseException, config: dict[str, Any]) -> None:
    """Raise _Denied where the error shows that the next attempt must fail too."""
    if isinstance(error, errors.SaslAuthenticationFailedError):
        raise _Denied(f"user {config['sasl_plain_username']!r} or its password is wrong")
    if isinstance(error, errors.UnsupportedSaslMechanismError | errors.IllegalSaslStateError):
        raise _Denied(f"the listener takes no password with {MECHANISM}: another protocol?")
    if isinstance(error, errors.KafkaProtocolError):
        raise _Denied(f"no Kafka answer to {config['security_protocol']}: the broker speaks TLS")
    text = str(error)
    for sign, told in SIGNS:
        if sign in text:
            raise _Denied(told)


def _said(error: BaseException) -> str:
    """The message of an error, without the library's class name."""
    return ", ".join(map(str, error.args)) or type(error).__name__


UNKNOWN_CA = "the broker's certificate is from an unknown CA (kafka_ca)"
OTHER_HOST = "the broker's certificate is for another host"
UNANSWERED = "accepted the connection, and closed it at the first request"
NO_TLS = "kafka_protocol asks for TLS, but the broker speaks without it"

# Signs of a cut connection: the broker died, or did not understand our protocol.
CUT = ("EOF occurred in violation", "UNEXPECTED_EOF", "Connection reset", "Broken pipe")
HUNG_UP = 2  # failures before we probe another protocol

# Texts of a failed handshake, and what they mean.
SIGNS = (
    ("certificate has expired", "the broker's certificate has expired"),
    ("Hostname mismatch", OTHER_HOST),
    ("IP address mismatch", OTHER_HOST),
    ("unable to get local issuer", UNKNOWN_CA),
    ("self-signed certificate", UNKNOWN_CA),
    ("CERTIFICATE_VERIFY_FAILED", "the broker's certificate cannot be verified (kafka_ca)"),
    ("WRONG_VERSION_NUMBER", NO_TLS),
)
