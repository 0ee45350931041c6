"""A real browser for the tests of the console: Debian's Chromium, driven by Playwright."""
