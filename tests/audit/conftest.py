"""What the tests of this room share."""

from tests.audit.house import home, roundproof

__all__ = ["home", "roundproof"]
