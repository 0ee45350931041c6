"""What the tests of this room share."""

from tests.support.command_line import house, replayed
from tests.support.small_house import home, roundproof, small_house

__all__ = ["home", "house", "replayed", "roundproof", "small_house"]
