"""Reading topics: from where one likes, and as one of a group that shares them."""

from collections.abc import Callable, Sequence
from contextlib import closing
from time import monotonic

import pytest

from ingest.kafka.client import Kafka, TopicRemade, admin, producer
from ingest.kafka.consumer import Committed, PartitionId, Rebalanced, TopicConsumer
from ingest.kafka.event_sorter import Message
from ingest.kafka.topics import group

TABLES = [f"T{n}" for n in range(20)]


def say(kafka: Kafka, count: int, stream: str = "events") -> None:
    """So many messages, in turn of each table."""
    with closing(producer(kafka)) as made:
        for n in range(count):
            key = TABLES[n % len(TABLES)].encode()
            made.send(kafka.topic(stream), key=key, value=str(n).encode())
        made.flush()


def until(done: Callable[[], bool], *tails: TopicConsumer) -> list[Message]:
    """What some readers read until it is enough."""
    found: list[Message] = []
    patience = monotonic() + 20
    while not done():
        assert monotonic() < patience
        for tail in tails:
            found += tail.poll(100, 0.1)
    return found


def numbers(messages: Sequence[Message]) -> list[int]:
    return sorted(int(message.value or b"") for message in messages)


def test_every_partition_is_read_from_its_start(kafka: Kafka) -> None:
    say(kafka, 40)
    with TopicConsumer(kafka, ("events",)) as tail:
        assert set(tail.starts().values()) == set(tail.positions.values()) == {0}
        assert sum(tail.ends().values()) == 40

        found = until(lambda: tail.positions == tail.ends(), tail)

        assert numbers(found) == list(range(40))
        by_table = [[int(m.value or b"") for m in found if m.key == t.encode()] for t in TABLES]
        assert by_table == [sorted(each) for each in by_table]


def test_reading_goes_on_where_it_is_told(kafka: Kafka) -> None:
    say(kafka, 40)
    with TopicConsumer(kafka, ("events",), partitions=(1,)) as tail:
        (part,) = tail.assigned
        all_of_it = until(lambda: tail.positions == tail.ends(), tail)

        tail.seek({part: all_of_it[-2].offset})
        again = until(lambda: tail.positions == tail.ends(), tail)

    assert part == PartitionId(kafka.topic("events"), 1)
    assert again == all_of_it[-2:]


def test_the_brokers_time_is_what_a_message_carries(kafka: Kafka) -> None:
    with closing(producer(kafka)) as made:
        made.send(kafka.topic("events"), key=b"T1", value=b"0", timestamp_ms=1).get(10)

    with TopicConsumer(kafka, ("events",)) as tail:
        (message,) = until(lambda: tail.positions == tail.ends(), tail)

    assert message.appended_at > 1_700_000_000_000_000  # microseconds, whatever the sender says


def test_a_group_goes_on_where_it_committed(kafka: Kafka) -> None:
    say(kafka, 20)
    name = group(kafka, "watch")
    with TopicConsumer(kafka, ("events",), group=name) as tail:
        first = until(lambda: bool(tail.assigned) and tail.positions == tail.ends(), tail)
        ends = tail.ends()
        tail.commit(ends, dict.fromkeys(ends, "after twenty"))
    say(kafka, 20)

    with TopicConsumer(kafka, ("events",), group=name) as tail:
        until(lambda: bool(tail.assigned), tail)
        said = tail.committed()
        tail.seek({part: each.offset for part, each in said.items()})
        second = until(lambda: tail.positions == tail.ends(), tail)

    assert len(first) == len(second) == 20
    assert said == {part: Committed(offset, "after twenty") for part, offset in ends.items()}


def test_members_share_the_partitions_and_hear_of_every_change(kafka: Kafka) -> None:
    name, heard = group(kafka, "watch"), list[tuple[str, int]]()

    def member(who: str) -> TopicConsumer:
        return TopicConsumer(
            kafka,
            ("events",),
            group=name,
            gained=lambda parts: heard.append((f"{who} gained", len(parts))),
            lost=lambda parts: heard.append((f"{who} lost", len(parts))),
            heartbeat_interval_ms=200,
            session_timeout_ms=6_000,
        )

    with member("one") as one:
        until(lambda: len(one.assigned) == 4, one)
        with member("two") as two:
            until(lambda: len(one.assigned) == len(two.assigned) == 2, one, two)
            shared = {*one.assigned, *two.assigned}
        until(lambda: len(one.assigned) == 4 and len(heard) == 6, one)

    assert len(shared) == 4
    of_one = [change for change in heard if change[0].startswith("one")]
    assert of_one == [
        ("one gained", 4), ("one lost", 4), ("one gained", 2), ("one lost", 2), ("one gained", 4),
    ]  # fmt: skip


def test_whoever_gains_a_partition_may_go_back_in_it(kafka: Kafka) -> None:
    """What was read of it before that is not handed out."""
    say(kafka, 40)
    name = group(kafka, "watch")
    with TopicConsumer(kafka, ("events",), group=name) as before:
        until(lambda: bool(before.assigned) and before.positions == before.ends(), before)
        before.commit(before.ends())
    readers: list[TopicConsumer] = []

    def back(parts: Sequence[PartitionId]) -> None:
        readers[0].seek(dict.fromkeys(parts, 0))

    with TopicConsumer(kafka, ("events",), group=name, gained=back) as tail:
        readers.append(tail)
        found = until(lambda: bool(tail.assigned) and tail.positions == tail.ends(), tail)

    assert numbers(found) == list(range(40))


def test_a_member_that_was_left_behind_commits_nothing(kafka: Kafka) -> None:
    say(kafka, 20)
    name = group(kafka, "watch")
    # It does not ask again in time, so the group goes on without it.
    with TopicConsumer(kafka, ("events",), group=name, max_poll_interval_ms=500) as slow:
        until(lambda: bool(slow.assigned) and slow.positions == slow.ends(), slow)
        late = slow.ends()
        with TopicConsumer(kafka, ("events",), group=name) as other:
            until(lambda: len(other.assigned) == 4, other)

            with pytest.raises(Rebalanced, match=name):
                slow.commit(late)


def test_a_topic_that_has_more_partitions_by_now_is_told(kafka: Kafka) -> None:
    with TopicConsumer(kafka, ("events",)) as tail:
        tail.require_all_partitions()
        with closing(admin(kafka)) as client:
            client.create_partitions({kafka.topic("events"): 6})
        while tail.counts() != {kafka.topic("events"): 6}:
            pass  # the broker may take a moment to say so itself

        with pytest.raises(TopicRemade, match="had 4 partitions and has 6 now"):
            tail.require_all_partitions()
