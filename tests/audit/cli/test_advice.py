"""What the command line advises: nothing ever tells people to delete a file."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("schemas", "ingest", "replay", "vision", "audit")
DELETING = re.compile(r"\b(delete|remove|erase|rm|unlink)\b", re.IGNORECASE)
# Words of SQL, of HTTP and of Kafka's own settings, which nobody reads as advice.
NO_ADVICE = re.compile(r"^\s*delete( from .*)?$", re.DOTALL | re.IGNORECASE)


def test_nothing_advises_to_delete_a_file() -> None:
    texts = list(_texts())

    assert len(texts) > 5_000
    advice = [(where, text) for where, text in texts if DELETING.search(text)]
    assert [at for at in advice if not NO_ADVICE.match(at[1])] == []


def _texts() -> Iterator[tuple[str, str]]:
    """Every text of the packages with the file it stands in, but for docstrings."""
    for path in (path for package in PACKAGES for path in sorted(Path(package).rglob("*.py"))):
        tree = ast.parse(path.read_text("utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in docstrings:
                yield str(path), node.value if isinstance(node.value, str) else ""
