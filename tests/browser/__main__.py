"""`python -m tests.browser`: make sure that there is a browser."""

import sys

from tests.browser.tools import BrowserMissing, ensure

if __name__ == "__main__":
    try:
        ensure()
    except BrowserMissing as missing:
        sys.exit(str(missing))
