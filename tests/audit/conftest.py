"""What the tests of this room share."""

from tests.audit.command_line import house, replayed
from tests.audit.house import home, roundproof, small_house

__all__ = ["home", "house", "replayed", "roundproof", "small_house"]
