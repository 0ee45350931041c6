"""What a pack says to people in two languages: how to verify it, and the statement to be signed."""

from importlib import resources
from string import Template


def filled(name: str, language: str, **values: str) -> bytes:
    """A text of the pack in a language, with its values in their places."""
    folder = resources.files(__package__) / "texts"
    template = Template((folder / f"{name}.{language}.md").read_text("utf-8"))
    return template.substitute(values).encode()
