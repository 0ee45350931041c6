"""What the copying of a rulebook left in its words: markup, captions, tables run together."""

import re
from collections.abc import Iterator

from replay.lint.complaint import ERROR, EditionComplaint
from replay.rulebooks.edition import Edition

# Each kind of debris, and what it looks like in a line of a clause.
KINDS = {
    "markup of a formula": re.compile(r"\\[a-zA-Z]+|\$[^$]*\\|\^\{|_\{"),
    "markup of a page": re.compile(r"</?[a-z]+[^>]*>|&[a-z]+;|\*\*|```|!\[|^#+ |<sup>"),
    "a picture's name": re.compile(r"\.(?:png|jpe?g|gif|svg)\b|\b(?:Figure|Picture|Image) \d"),
    "a space that does not belong": re.compile(r"\s[,;)](?!\S)|\(\s|“\s|\s”|\s\.(?:\s|$)"),
    "a character that nobody prints": re.compile(
        r"[\x00-\x09\x0b-\x1f\x7f\ufffd\u00ad\u200b\ufeff]"
    ),
    "rows of a table in one line": re.compile(r"\|.* / .*\|"),
    "a row of the certificate in one line": re.compile(r"^\d+\. [^|]+ [\d.]+ [\d.]+%"),
}


def found(edition: Edition) -> Iterator[EditionComplaint]:
    """Each clause with debris in it, and each table whose rows have other numbers of cells."""
    for clause in edition.clauses.values():
        for kind, looks_like in KINDS.items():
            seen = next(filter(None, map(looks_like.search, clause.text.splitlines())), None)
            if seen:
                text = f"{kind}: {seen[0].strip()!r:.60}"
                yield EditionComplaint(ERROR, "debris", clause.anchor, text)
        rows = [line.count(" | ") for line in clause.text.splitlines() if " | " in line]
        if rows and max(rows) != rows[0]:
            text = f"a table whose head has {rows[0] + 1} cells and a row {max(rows) + 1}"
            yield EditionComplaint(ERROR, "debris", clause.anchor, text)
