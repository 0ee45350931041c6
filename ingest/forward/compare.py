"""Comparing the log with Kafka while a gateway may write both.

A record reaches our disk before it reaches Kafka. So we first ask Kafka for its ends, then read the
log, and then read Kafka only up to those ends.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ingest.forward import kafka_position
from ingest.forward.forwarder import local_records_of
from ingest.forward.kafka_position import KafkaPosition, TopicReader
from ingest.local.log import LocalLog
from ingest.local.spool import Spool
from ingest.log import Lane


class Comparison(NamedTuple):
    """The end of each lane in the log, and the position in Kafka of each lane with records."""

    ends: Mapping[Lane, int]
    stands: Mapping[Lane, KafkaPosition]


def compare(log: LocalLog, reader: TopicReader, streams: Sequence[str]) -> Comparison:
    """Compare a log with Kafka; records that arrive meanwhile are ignored."""
    reached = {stream: reader.ends(stream) for stream in streams}
    spool = Spool(log, streams)
    ends, stands = spool.ends(), dict[Lane, KafkaPosition]()
    for stream in streams:
        lanes = {key: end for (of, key), end in ends.items() if of == stream and end}
        records = {key: local_records_of(spool, (stream, key), end) for key, end in lanes.items()}
        found = kafka_position.kafka_positions(reader, stream, records, reached[stream])
        stands |= {(stream, key): stand for key, stand in found.items()}
    return Comparison(ends, stands)
