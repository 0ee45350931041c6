"""The rules in force as files: the whole text, the clauses that were cited, the posted terms."""

from typing import Any

from audit.evidence.event_files import json_bytes
from audit.evidence.gather import PackMaterial
from audit.evidence.report.why import cited
from replay.rulebooks import edition as edition_text
from replay.rulebooks.edition import Edition


def rules_text(edition: Edition) -> bytes:
    """The text of an edition, clause by clause, as it is on file."""
    lines = [f"{edition.title}", f"No. {edition.number}, in force from {edition.effective}", ""]
    lines += [f"{clause.anchor}  {clause.text}" for clause in edition.clauses.values()]
    return ("\n".join(lines) + "\n").encode()


def rule_files(material: PackMaterial) -> dict[str, bytes]:
    """8.4.1 and 8.4.2: the rules, the clauses that the derivation cites, what the table posted."""
    judged = material.file.judged
    edition, terms = judged.edition, judged.terms
    if edition is None or terms is None:
        return {}
    known = [edition.clauses[name] for name in cited(judged) if name in edition.clauses]
    clauses = [clause._asdict() for clause in known]
    return {
        f"8.4.1-rules/{edition.code}.txt": rules_text(edition),
        "8.4.1-rules/edition.json": json_bytes(_edition(edition)),
        "8.4.1-rules/cited.json": json_bytes(clauses),
        "8.4.2-posted/terms.json": json_bytes(_terms(material)),
        "8.4.2-posted/paytable.json": json_bytes(_paytable(edition, terms.paytable)),
    }


def _edition(edition: Edition) -> dict[str, Any]:
    return {
        "code": edition.code,
        "title": edition.title,
        "number": edition.number,
        "effective": edition.effective,
        "source": edition.source,
        "issues": [
            {
                "name": issue.name,
                "anchor": issue.anchor,
                "what": issue.what,
                "reading": issue.reading,
                "alternatives": list(issue.alternatives),
            }
            for issue in edition.issues.values()
        ],
    }


def _terms(material: PackMaterial) -> dict[str, Any]:
    """What the table posted, with the defaults of the edition filled in: the limit sign too."""
    terms = material.file.judged.terms
    assert terms is not None
    return {
        "game": terms.game,
        "currency": terms.currency,
        "paytable": terms.paytable,
        "rounding": terms.rounding,
        "decks": terms.decks,
        "differential": None if terms.differential is None else str(terms.differential),
        "readings": dict(sorted(terms.readings.items())),
        "limits": [
            {"bet": limit.bet, "minimum": str(limit.minimum), "maximum": str(limit.maximum)}
            for _, limit in sorted(terms.limits.items())
        ],
    }


def _paytable(edition: Edition, name: str) -> dict[str, Any]:
    table = edition.paytables[name or edition.paytable]
    return {
        "paytable": name or edition.paytable,
        "lines": [
            {
                "bet": line.bet,
                "fact": line.fact,
                "odds": edition_text.cell(line.odds),
                "clauses": list(line.clauses),
                "source": line.source,
            }
            for lines in table.values()
            for line in lines
        ],
    }
