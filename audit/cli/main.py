"""The console script: it handles Ctrl-C before the slow imports begin."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process and exit with its code."""
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
    """Exit at once: nothing has begun yet, or everything is written."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
