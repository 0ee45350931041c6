"""What the tests of the console share."""

from tests.support.console_house import console, console_house

__all__ = ["console", "console_house"]
