"""Imports PyAV where the extra `video` is installed; else `av` is None."""

from importlib import import_module
from typing import Any

try:
    av: Any = import_module("av")
except ImportError:
    av = None
else:
    # PyAV loads this module late, when the decoder process may no longer open files.
    import_module("av.subtitles.stream")
