"""Who is refused at Kafka: wrong papers, wrong language, no right; and the message says which."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from kafka import TopicPartition, errors

from audit.cli.errors import explained
from ingest.kafka import topics
from ingest.kafka.client import Kafka, KafkaDenied, admin, partition_of, translated
from ingest.kafka.consumer import TopicConsumer
from ingest.kafka.producer import OutgoingMessage, TopicProducer
from ingest.kafka.topics import STREAMS, TopicSettings, check, group
from tests.broker import certificates
from tests.broker.fixtures import PARTITIONS, Secured
from tests.broker.impostor import impostor
from tests.broker.nodes import until
from tests.support.tables import cases

EXPIRED = timedelta(days=-1)


def reach(kafka: Kafka) -> None:
    """Ask for anything at all."""
    with closing(admin(kafka)) as client:
        client.describe_cluster()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"password": "guess"}, "user 'gateway' or its password is wrong"),
        ({"user": "nobody"}, "user 'nobody' or its password is wrong"),
        ({"ca": None}, "from an unknown CA"),
        ({"protocol": "PLAINTEXT"}, "no Kafka answer to PLAINTEXT: the broker speaks TLS"),
        (
            {"protocol": "SASL_PLAINTEXT"},
            "no Kafka answer to SASL_PLAINTEXT: the broker speaks TLS",
        ),
        ({"protocol": "SSL"}, "the broker asks for a user and password"),
    ],
    ids=[
        "wrong password",
        "unknown user",
        "no CA",
        "plaintext",
        "password in the clear",
        "no user",
    ],
)
def test_who_comes_wrongly_is_told_what_is_wrong(
    secured: Secured, change: dict[str, str], told: str
) -> None:
    good = secured.user("gateway")
    reach(good)

    with pytest.raises(KafkaDenied, match=told) as refused:
        reach(replace(good, **change))  # type: ignore[arg-type]

    assert good.password not in str(refused.value)


def test_a_ca_that_did_not_sign_is_not_enough(secured: Secured, tmp_path: Path) -> None:
    other = certificates.authority("other").write(tmp_path / "other.crt")

    with pytest.raises(KafkaDenied, match="from an unknown CA"):
        reach(replace(secured.user("gateway"), ca=other))


@pytest.mark.parametrize("protocol", ["SSL", "SASL_SSL"])
def test_tls_where_none_is_spoken_is_said(broker: str, protocol: str) -> None:
    with pytest.raises(KafkaDenied, match="the broker speaks without it"):
        reach(Kafka(broker, protocol=protocol, user="gateway", password="x"))


def test_a_password_where_none_is_asked_is_said(broker: str) -> None:
    with pytest.raises(KafkaDenied, match="takes no password"):
        reach(Kafka(broker, protocol="SASL_PLAINTEXT", user="gateway", password="x"))


@pytest.mark.parametrize(
    ("hosts", "until", "told"),
    [
        (certificates.HERE, EXPIRED, "certificate has expired"),
        (certificates.ELSEWHERE, certificates.DAYS, "certificate is for another host"),
    ],
    ids=["expired", "another host"],
)
def test_a_certificate_that_is_not_good_now_and_here(
    tmp_path: Path, hosts: tuple[certificates.Host, ...], until: timedelta, told: str
) -> None:
    authority = certificates.authority()
    ca = authority.write(tmp_path / "ca.crt")
    pem = authority.sign(tmp_path / "broker.pem", hosts, until)

    with impostor(pem) as address, pytest.raises(KafkaDenied, match=told):
        reach(Kafka(address, protocol="SASL_SSL", user="gateway", password="x", ca=ca))


def write(kafka: Kafka, *streams: str) -> None:
    with TopicProducer(kafka) as outbox:
        outbox.send([OutgoingMessage(kafka.topic(stream), b"T1", b"x") for stream in streams])


def read(kafka: Kafka, stream: str) -> None:
    """Read until something comes, or until it is refused."""
    with TopicConsumer(kafka, [stream], partitions=[partition_of("T1", PARTITIONS)]) as tail:
        until(lambda: bool(tail.poll(1, 1.0)), 30, f"a message of {stream}")


def read_in_own_group(kafka: Kafka, stream: str) -> None:
    read_in_group(kafka, stream, group(kafka, kafka.user))


def read_in_group(kafka: Kafka, stream: str, name: str) -> None:
    with TopicConsumer(kafka, [stream], group=name) as tail:
        while not tail.assigned:
            tail.poll(1, 1.0)


@pytest.mark.parametrize(
    ("role", "reads", "writes"),
    cases(f"""
        device   |                 | readings             | devices tell, and hear nothing
        gateway  | readings events dlq | events dlq checkpoints cases access | writes the events
        watch    | events derived findings | derived findings dlq checkpoints | judges as it goes
        archive  | events          | dlq checkpoints | keeps what was said
        auditor  | {" ".join(STREAMS)} |                  | sees all and touches nothing
        stranger |                 |                      | a password alone is no right
    """),
)
def test_a_role_does_what_it_may_and_nothing_else(
    secured: Secured, role: str, reads: str, writes: str
) -> None:
    kafka = secured.user(role, delivery_s=5)
    write(secured.user("admin"), *STREAMS)
    actions: dict[str, tuple[Callable[[Kafka, str], None], list[str]]] = {
        "read": (read, reads.split()),
        "write to": (write, writes.split()),
    }

    for verb, (action, allowed) in actions.items():
        for stream in STREAMS:
            if stream in allowed:
                action(kafka, stream)
                continue
            with pytest.raises(KafkaDenied, match="not authorised to") as refused:
                action(kafka, stream)
            assert f"not authorised to {verb} topic {kafka.topic(stream)}" in str(refused.value)


@pytest.mark.parametrize("role", ["gateway", "watch", "archive", "auditor"])
def test_a_group_is_its_roles_own(secured: Secured, role: str) -> None:
    kafka = secured.user(role, delivery_s=5)
    other = group(kafka, "watch" if role != "watch" else "archive")

    read_in_own_group(kafka, "events")

    with pytest.raises(KafkaDenied, match=f"not authorised to .* in group {other}"):
        read_in_group(kafka, "events", other)


def forbidden(kafka: Kafka, leader: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """What only the administrator does."""
    client, topic = admin(kafka), kafka.topic("events")
    with closing(client):
        yield f"delete topic {topic}", lambda: client.delete_topics([topic])
        yield "make topic", lambda: client.create_topics({f"{kafka.prefix}mine": {}})
        yield f"widen topic {topic}", lambda: client.create_partitions({topic: 2 * PARTITIONS})
        yield (
            f"cut topic {topic}",
            lambda: client.delete_records(
                {TopicPartition(topic, 0): 1}, partition_leader_id=leader
            ),
        )


@pytest.mark.parametrize("role", ["device", "gateway", "watch", "archive", "auditor", "stranger"])
def test_no_role_deletes_makes_or_cuts(secured: Secured, role: str) -> None:
    kafka = secured.user(role, delivery_s=5)
    leader = secured.leader_of(kafka.topic("events"), 0)

    for what, action in forbidden(kafka, leader):
        with pytest.raises(KafkaDenied, match=f"not authorised to {what}"), translated(what):
            action()

    assert check(secured.user("admin"), TopicSettings(PARTITIONS)) == []


def test_a_missing_right_names_the_user_and_how_rights_are_given() -> None:
    watch = Kafka("broker:9092", user="watch")

    with pytest.raises(KafkaDenied) as refused, translated("read topic rp.events", watch):
        raise errors.TopicAuthorizationFailedError("rp.events")

    assert "not authorised to read topic rp.events" in str(refused.value)
    assert "user 'watch' lacks the right" in str(refused.value)
    assert "roundproof kafka init --acls" in explained(refused.value).next_step


def test_a_device_writes_to_its_own_topic_alone(secured: Secured) -> None:
    """The user `stranger` is a device of that name here; its neighbour has a topic too."""
    owner, names = secured.user("admin"), ("stranger", "neighbour")
    own, other = (topics.own_stream(name) for name in names)
    topics.init(owner, TopicSettings(PARTITIONS, devices=names))
    topics.allow(owner, names)
    secured.brokers.wait_until_known([owner.topic(stream) for stream in (own, other)])
    stranger, shared = secured.user("stranger", delivery_s=5), secured.user("device", delivery_s=5)

    write(stranger, own)
    read(secured.user("gateway"), own)
    read_in_own_group(secured.user("gateway"), own)
    for who, stream in ((stranger, other), (stranger, "readings"), (shared, own)):
        with pytest.raises(KafkaDenied, match="lacks the right"):
            write(who, stream)
    with pytest.raises(KafkaDenied, match="lacks the right"):
        read(stranger, own)
    with closing(admin(owner)) as client:
        client.delete_topics([owner.topic(own), owner.topic(other)])
