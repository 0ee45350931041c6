"""The environment that leads a command to a Kafka."""

from ingest.kafka.client import Kafka


def leading_to(kafka: Kafka) -> dict[str, str]:
    """The settings by which `roundproof` reaches it, its password among them."""
    told = {
        "ROUNDPROOF_KAFKA": kafka.bootstrap,
        "ROUNDPROOF_KAFKA_PROTOCOL": kafka.protocol,
        "ROUNDPROOF_KAFKA_PREFIX": kafka.prefix,
        "ROUNDPROOF_KAFKA_DELIVERY_S": str(kafka.delivery_s),
    }
    if kafka.user:
        told |= {
            "ROUNDPROOF_KAFKA_USER": kafka.user,
            "ROUNDPROOF_KAFKA_PASSWORD": kafka.password,
            "ROUNDPROOF_KAFKA_CA": str(kafka.ca),
        }
    return told
