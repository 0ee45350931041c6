"""The derivation as a file: every step with its sentence, its words, its clauses and its events."""

from typing import Any

from audit.evidence.gather import PackMaterial
from replay import words
from replay.explain import explanation
from replay.sentence import Sentence, plain

OF_WAGERS = ("dues", "wagers")  # parts of an explanation that are rows of wagers


def derivation(material: PackMaterial) -> dict[str, Any]:
    """The explanation of the round, with its steps in every language."""
    judged, hidden = material.file.judged, material.hidden
    found = explanation(judged, known=material.file.relied)
    steps = [
        {
            "n": n,
            "sentence": step.text.key if isinstance(step.text, Sentence) else "",
            "values": plain(step.text.params) if isinstance(step.text, Sentence) else {},
            "words": {
                language: words.text(step.text, language, judged.code)
                for language in words.LANGUAGES
            },
            "clauses": list(step.clauses),
            "evidence": list(step.evidence),
            "wager": step.wager_id,
        }
        if not hidden.hides_step(step)
        else {"n": n, "withheld": True, "clauses": list(step.clauses)}
        for n, step in enumerate(judged.steps, 1)
    ]
    withheld = material.file.withheld
    rows = {
        part: [row for row in found[part] if row["wager"] not in withheld] for part in OF_WAGERS
    }
    flags = [flag for flag in found["flags"] if not hidden.names_other(map(str, flag.values()))]
    if hidden.party:
        found["payments_fit"] = []  # it compares the payments of everybody
    return found | rows | {"flags": flags, "steps": steps, "digest": material.file.digest}
