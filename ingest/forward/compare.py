"""The log beside Kafka while a gateway may be writing to both.

What lies in Kafka was on our disk before. So Kafka is asked first how far it reaches, the log is
read after that, and Kafka is looked at no further than it reached then.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ingest.forward import kafka_position
from ingest.forward.forwarder import local_records_of
from ingest.forward.kafka_position import KafkaPosition, TopicReader
from ingest.local.log import LocalLog
from ingest.local.spool import Lane, Spool


class Comparison(NamedTuple):
    """How far each lane reaches in the log, and where those that have records stand in Kafka."""

    ends: Mapping[Lane, int]
    stands: Mapping[Lane, KafkaPosition]


def compare(log: LocalLog, shelf: TopicReader, streams: Sequence[str]) -> Comparison:
    """Compare a log with Kafka; a record that comes meanwhile is not looked at."""
    reached = {stream: shelf.ends(stream) for stream in streams}
    spool = Spool(log, streams)
    ends, stands = spool.ends(), dict[Lane, KafkaPosition]()
    for stream in streams:
        lanes = {key: end for (of, key), end in ends.items() if of == stream and end}
        held = {key: local_records_of(spool, (stream, key), end) for key, end in lanes.items()}
        found = kafka_position.kafka_positions(shelf, stream, held, reached[stream])
        stands |= {(stream, key): stand for key, stand in found.items()}
    return Comparison(ends, stands)
