"""What all tests share: a broker, for those that ask for one."""

from tests.broker.fixtures import broker, cluster, kafka, pytest_configure, secured, three

__all__ = ["broker", "cluster", "kafka", "pytest_configure", "secured", "three"]
