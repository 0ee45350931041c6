"""What all tests share: a broker, for those that ask for one."""

from tests.broker.fixtures import broker, kafka, pytest_configure

__all__ = ["broker", "kafka", "pytest_configure"]
