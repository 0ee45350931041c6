"""The topics of a house: creating them, checking their settings, and the rights of each role."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ConfigResource,
    ConfigResourceType,
    ResourcePattern,
    ResourceType,
)
from kafka.errors import (
    ClusterAuthorizationFailedError,
    InvalidReplicationFactorError,
    for_code,
)

from ingest.kafka.client import MAX_REQUEST, Kafka, admin, translated
from ingest.log import EVENTS, LogUnwritable

PARTITIONS = 12
REPLICATION = 3
MIN_ISR = 2
RETENTION_DAYS = 400
DAY_MS = 86_400_000

# Every stream of a house. All have the same partition count, so a table has one number in all.
STREAMS = (
    "readings", "events", "dlq", "derived", "findings", "checkpoints", "cases", "access",
)  # fmt: skip


OWN = "readings."  # prefix of a stream that only one device may write


# Each role is one principal: the topics it reads, those it writes, and whether it joins groups.
# A gateway reads events and dead letters to find how far it has forwarded.
ROLES: Mapping[str, "Role"]


class Role(NamedTuple):
    """What a role may do."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    looks: bool = False  # reads the settings of topics and cluster, for `kafka check`


class TopicSettings(NamedTuple):
    """How topics are created, and what `kafka check` expects of them."""

    partitions: int = PARTITIONS
    replication: int = REPLICATION
    retention_days: int = RETENTION_DAYS
    devices: tuple[str, ...] = ()  # devices with a topic of their own

    @property
    def streams(self) -> tuple[str, ...]:
        """Every stream that has a topic."""
        return (*STREAMS, *map(own_stream, self.devices))

    @property
    def configs(self) -> dict[str, str]:
        """A topic's own settings. The broker's time of a message is when it was appended."""
        return {
            "cleanup.policy": "delete",
            "max.message.bytes": str(MAX_REQUEST),
            "message.timestamp.type": "LogAppendTime",
            "min.insync.replicas": str(min(MIN_ISR, self.replication)),
            "retention.bytes": "-1",
            "retention.ms": str(self.retention_days * DAY_MS),
            "unclean.leader.election.enable": "false",
        }


DEFAULT_SETTINGS = TopicSettings()


class PartitionCountDiffers(Exception):
    """A new topic would have another partition count than the existing ones."""


class NoTopicName(ValueError):
    """The name of a device cannot be part of a topic's name."""


class UnevenPartitions(Exception):
    """The topics of one house have different partition counts."""


class TooFewNodes(LogUnwritable):
    """The replication factor is larger than the number of nodes."""


class WeakSetting(NamedTuple):
    """A setting that is weaker than required: of which topic or broker, expected and found."""

    of: str
    setting: str
    expected: str
    found: str

    @property
    def missing(self) -> bool:
        """Whether the whole topic is missing."""
        return self.setting == "topic"

    def __str__(self) -> str:
        return f"{self.of}: {self.setting} {self.expected} expected, {self.found} found"


def own_stream(device: str) -> str:
    """The stream that only this device may write."""
    if "~" in device:
        told = "letters, digits, dots, dashes and underscores expected in the name of a topic"
        raise NoTopicName(f"device {device}: {told}, ~ found")
    return OWN + device


def partitions(kafka: Kafka) -> int | None:
    """The partition count of the existing topics; None where there is no topic."""
    with closing(admin(kafka)) as client, translated("look at topics", kafka):
        counts = _counts(client, kafka, STREAMS)
    return counts.get(kafka.topic(EVENTS), next(iter(counts.values()), None))


def init(
    kafka: Kafka, wanted: TopicSettings = DEFAULT_SETTINGS, *, dry_run: bool = False
) -> list[str]:
    """Create the missing topics; returns their names. With `dry_run`, only the names."""
    with closing(admin(kafka)) as client, translated("make topics", kafka):
        there = _counts(client, kafka, wanted.streams)
        names = [kafka.topic(stream) for stream in wanted.streams]
        missing = {
            name: {
                "num_partitions": wanted.partitions,
                "replication_factor": wanted.replication,
                "configs": wanted.configs,
            }
            for name in names
            if name not in there
        }
        if missing:
            _require_same_count(there, wanted, sorted(missing))
            made = client.create_topics(missing, validate_only=dry_run, raise_errors=False)
            _require_created(made["topics"], kafka)
        if missing and not dry_run:
            client.wait_for_topics(sorted(missing))
    return sorted(missing)


def check(kafka: Kafka, wanted: TopicSettings = DEFAULT_SETTINGS) -> list[WeakSetting]:
    """The settings of the cluster that are weaker than required."""
    with closing(admin(kafka)) as client, translated("look at topics", kafka):
        topics = {topic["name"]: topic for topic in client.describe_topics()}
        names = [kafka.topic(stream) for stream in wanted.streams]
        there = [name for name in names if name in topics]
        found = [WeakSetting(name, "topic", "one", "none") for name in names if name not in topics]
        found += _uneven({name: len(topics[name]["partitions"]) for name in there})
        settings = _settings(client, ConfigResourceType.TOPIC, there)
        for name in there:
            found += _weak_topic(name, topics[name], settings[name], wanted)
        brokers = [str(each["broker_id"]) for each in client.describe_cluster()["brokers"]]
        for name, values in _settings(client, ConfigResourceType.BROKER, brokers).items():
            found += _weak_broker(f"broker {name}", values)
    return found


def require_even_partitions(kafka: Kafka, counts: Mapping[str, int]) -> None:
    """Raise UnevenPartitions where a topic's partition count differs from that of the events."""
    usual = kafka.topic(EVENTS)
    for name, count in counts.items():
        if count != counts[usual]:
            raise UnevenPartitions(
                f"{name}: {counts[usual]} partitions expected as in {usual}, {count} found"
            )


def group(kafka: Kafka, role: str) -> str:
    """The consumer group of a role; its further groups begin with the same name."""
    return kafka.prefix + role


def allow(kafka: Kafka, devices: Sequence[str] = (), *, dry_run: bool = False) -> list[str]:
    """Give each role its rights and no more; returns the rights in words.

    Where devices have topics of their own, each device is a user of the same name, and the user
    `device`, who could write the shared topic, gets no right.
    """
    roles = {role: may for role, may in ROLES.items() if not (devices and role == "device")}
    rules = [rule for role, may in roles.items() for rule in _rules(kafka, role, may)]
    if devices:
        rules += _device_rules(kafka, devices)
    if not dry_run:
        with closing(admin(kafka)) as client, translated("give rights", kafka):
            for error in client.create_acls(rules)["failed"]:
                raise error(error.description)
    return [_spoken(rule) for rule in rules]


def _rule(role: str, operation: ACLOperation, pattern: ResourcePattern) -> ACL:
    return ACL(f"User:{role}", "*", operation, ACLPermissionType.ALLOW, pattern)


def _rules(kafka: Kafka, role: str, may: Role) -> Iterator[ACL]:
    def topic(stream: str) -> ResourcePattern:
        return ResourcePattern(ResourceType.TOPIC, kafka.topic(stream))

    for stream in may.reads:
        yield _rule(role, ACLOperation.READ, topic(stream))
    for stream in may.writes:
        yield _rule(role, ACLOperation.WRITE, topic(stream))
    if may.reads:
        name = group(kafka, role)
        groups = ResourcePattern(ResourceType.GROUP, name, ACLResourcePatternType.PREFIXED)
        yield _rule(role, ACLOperation.READ, groups)
    if may.looks:
        cluster = ResourcePattern(ResourceType.CLUSTER, "kafka-cluster")
        yield _rule(role, ACLOperation.DESCRIBE, cluster)
        yield _rule(role, ACLOperation.DESCRIBE_CONFIGS, cluster)
        for stream in STREAMS:
            yield _rule(role, ACLOperation.DESCRIBE, topic(stream))
            yield _rule(role, ACLOperation.DESCRIBE_CONFIGS, topic(stream))


def _device_rules(kafka: Kafka, devices: Sequence[str]) -> Iterator[ACL]:
    """Each device writes its own topic; the roles that read readings read all of them."""
    own = kafka.topic(OWN)
    every = ResourcePattern(ResourceType.TOPIC, own, ACLResourcePatternType.PREFIXED)
    for role, may in ROLES.items():
        if "readings" in may.reads:
            yield _rule(role, ACLOperation.READ, every)
        if may.looks:
            yield _rule(role, ACLOperation.DESCRIBE_CONFIGS, every)
    for device in devices:
        mine = ResourcePattern(ResourceType.TOPIC, kafka.topic(own_stream(device)))
        yield _rule(device, ACLOperation.WRITE, mine)


def _spoken(rule: ACL) -> str:
    what = rule.resource_pattern
    return (
        f"{rule.principal} {rule.operation.name.lower().replace('_', ' ')} "
        f"{what.resource_type.name.lower()} {what.resource_name}"
        + ("*" if what.pattern_type is ACLResourcePatternType.PREFIXED else "")
    )


def _uneven(counts: Mapping[str, int]) -> Iterator[WeakSetting]:
    """The topics whose partition count differs from that of the events."""
    usual = next((n for name, n in counts.items() if name.endswith("events")), None)
    for name, count in counts.items():
        if usual is not None and count != usual:
            yield WeakSetting(name, "partitions", f"{usual} as in the events", str(count))


def _weak_topic(
    name: str, topic: Mapping[str, Any], settings: Mapping[str, str], wanted: TopicSettings
) -> Iterator[WeakSetting]:
    fewest = min((len(each["replica_nodes"]) for each in topic["partitions"]), default=0)
    rows = (
        ("replication", REPLICATION, fewest),
        ("min.insync.replicas", MIN_ISR, int(settings["min.insync.replicas"])),
        ("retention.ms", wanted.retention_days * DAY_MS, _unlimited(settings["retention.ms"])),
        ("max.message.bytes", MAX_REQUEST, int(settings["max.message.bytes"])),
    )
    for setting, least, value in rows:
        if value < least:
            yield WeakSetting(name, setting, f"at least {least}", str(value))
    exact = ("cleanup.policy", "message.timestamp.type", "retention.bytes",
             "unclean.leader.election.enable")  # fmt: skip
    for setting in exact:
        if settings[setting] != wanted.configs[setting]:
            yield WeakSetting(name, setting, wanted.configs[setting], settings[setting])


def _weak_broker(name: str, settings: Mapping[str, str]) -> Iterator[WeakSetting]:
    for setting in ("auto.create.topics.enable", "unclean.leader.election.enable"):
        if settings.get(setting) != "false":
            yield WeakSetting(name, setting, "false", settings.get(setting, "nothing"))


def _unlimited(ms: str) -> float:
    return float("inf") if ms == "-1" else int(ms)


def _settings(client: Any, kind: ConfigResourceType, names: list[str]) -> dict[str, dict[str, str]]:
    if not names:
        return {}
    asked = [ConfigResource(kind, name) for name in names]
    answer = client.describe_configs(asked, config_filter="all")[kind.name.lower()]
    hidden = [name for name in names if not answer[name]]
    if hidden:  # kafka-python gives no reason; only a missing right causes this
        raise ClusterAuthorizationFailedError(f"the settings of {', '.join(hidden)}")
    return {
        name: {setting: told["value"] for setting, told in answer[name].items()} for name in names
    }


def _counts(client: Any, kafka: Kafka, streams: Iterable[str]) -> dict[str, int]:
    """The existing topics of the house, with their partition counts."""
    names = sorted({kafka.topic(stream) for stream in streams} & set(client.list_topics()))
    found = client.describe_topics(names) if names else ()
    return {topic["name"]: len(topic["partitions"]) for topic in found}


def _require_same_count(
    there: Mapping[str, int], wanted: TopicSettings, missing: list[str]
) -> None:
    """Raise PartitionCountDiffers where a new topic would differ from an existing one."""
    for name, count in there.items():
        if count != wanted.partitions:
            raise PartitionCountDiffers(
                f"{', '.join(missing)}: {count} partitions expected as in {name}, "
                f"{wanted.partitions} asked for"
            )


def _require_created(answers: list[Mapping[str, Any]], kafka: Kafka) -> None:
    for answer in answers:
        error = for_code(answer["error_code"])
        if error is InvalidReplicationFactorError:
            said = answer.get("error_message") or error.description
            raise TooFewNodes(f"cannot make topic {answer['name']} at {kafka.bootstrap}: {said}")
        if error.errno and error.__name__ != "TopicAlreadyExistsError":
            with translated(f"make topic {answer['name']}", kafka):
                raise error(answer.get("error_message") or error.description)


ROLES = {
    "device": Role(writes=("readings",)),
    "gateway": Role(
        reads=("readings", "events", "dlq"),
        writes=("events", "dlq", "checkpoints", "cases", "access"),
    ),
    "watch": Role(
        reads=("events", "derived", "findings"),
        writes=("derived", "findings", "dlq", "checkpoints"),
    ),
    "archive": Role(reads=("events",), writes=("dlq", "checkpoints")),
    "auditor": Role(reads=STREAMS, looks=True),
}
