"""What the tests of this room share."""

from tests.audit.command_line import house, replayed
from tests.audit.house import home, roundproof

__all__ = ["home", "house", "replayed", "roundproof"]
