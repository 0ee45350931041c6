"""The door of PyAV: the library where the extra `video` is installed, else None."""

from importlib import import_module
from typing import Any

try:
    av: Any = import_module("av")
except ImportError:
    av = None
else:
    # PyAV would load this one late, when a decoder's process can open no file any more.
    import_module("av.subtitles.stream")
