"""A sentence as data: a key that the catalogue has words for, and the values that go into them.

Rules say what happened with a sentence and never with words. `replay/words` makes the words, in
English or Vietnamese, where somebody reads them (docs/words.md).
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

# Plain values: text, whole numbers, lists of them, None for a card that nobody read, and a sentence
# where a fragment varies. A fraction is its exact text, such as 100/3.
Value: TypeAlias = "str | int | Sentence | tuple[Value, ...] | None"


class Sentence(NamedTuple):
    """What is said, without its words."""

    key: str  # the rulebook or `shared`, and a name: TB.natural
    params: tuple[tuple[str, Value], ...] = ()  # by name


Prose: TypeAlias = Sentence | str  # the words themselves, where a module has no sentences yet


def say(key: str, /, **params: Value) -> Sentence:
    """The sentence of a key, with its values by name."""
    return Sentence(key, tuple(sorted(params.items())))


def ends_with(text: Prose, last: Prose) -> bool:
    """Whether a text says another one last."""
    if isinstance(text, str):
        return isinstance(last, str) and text.endswith(last)
    return text == last or any(value == last for _, value in text.params)


def names(text: Prose, word: str) -> bool:
    """Whether a text names something, such as a clause."""
    if isinstance(text, str):
        return word in text
    return any(_holds(value, word) for _, value in text.params)


def plain(params: tuple[tuple[str, Value], ...]) -> dict[str, Any]:
    """The values of a sentence as JSON has them."""
    return {name: _plain(value) for name, value in params}


def as_json(said: Sentence) -> str:
    """The values of a sentence as JSON text, in one form only."""
    return json.dumps(plain(said.params), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def parsed(key: str, params: Mapping[str, Any]) -> Sentence:
    """The sentence of such values."""
    return say(key, **{name: _value(value) for name, value in params.items()})


def _holds(value: Value, word: str) -> bool:
    if isinstance(value, Sentence):
        return names(value, word)
    if isinstance(value, tuple):
        return any(_holds(part, word) for part in value)
    return value == word


def _plain(value: Value) -> Any:
    if isinstance(value, Sentence):
        return {"key": value.key, "params": plain(value.params)}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _value(value: Any) -> Value:
    if isinstance(value, dict):
        return parsed(value["key"], value["params"])
    if isinstance(value, list):
        return tuple(map(_value, value))
    assert value is None or isinstance(value, str | int), value
    return value
