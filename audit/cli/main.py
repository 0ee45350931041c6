"""The console script: a thin start, so that an interrupt finds us ready while the rest loads."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process and leave with its exit code."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if not ignored:
        signal.signal(signal.SIGINT, _leave)
    from audit.cli import app

    if not ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        app.run(sys.argv[1:])
    finally:
        if not ignored:
            signal.signal(signal.SIGINT, _leave)


def _leave(_: int, __: FrameType | None) -> None:
    """Go with one word: nothing has begun yet, or everything is written."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
