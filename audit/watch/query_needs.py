"""What a query must have rows of to find anything, read from the query itself.

A table of a house is quiet most of the time, so most checks of a pass would be asked for nothing.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import duckdb

Alternatives = tuple[frozenset[str], ...]
ANYTHING: Alternatives = (frozenset(),)  # a query that may answer whatever the tables hold

# Tables whose rows carry a label, and the column it is in: a check that reads such a table finds
# only what it names.
LABELLED = {"flags": "code", "raised": "code", "mispaid": "kind"}


class QueryNeeds(NamedTuple):
    """What a query needs: one of the alternatives whole, with labels that it names."""

    alternatives: Alternatives  # sets of tables, one of which must have rows
    names: frozenset[str] | None  # every text in the query; None where labels do not matter
    reads: frozenset[str]  # every table in the query

    def met_by(self, filled: Mapping[str, frozenset[str]]) -> bool:
        """Whether tables that have rows, each with its labels, let the query find anything."""
        return any(
            all(self._has(table, filled) for table in needed) for needed in self.alternatives
        )

    def _has(self, table: str, filled: Mapping[str, frozenset[str]]) -> bool:
        if table not in filled:
            return False
        return table not in LABELLED or self.names is None or bool(filled[table] & self.names)


def needs_of(connection: duckdb.DuckDBPyConnection, sql: str) -> QueryNeeds:
    """What a query needs before it can have rows."""
    ((said,),) = connection.execute("select json_serialize_sql(?)", [sql]).fetchall()
    tree = json.loads(said)
    assert not tree["error"], tree
    node = tree["statements"][0]["node"]
    texts = frozenset(_found(node, "literal", "text"))
    return QueryNeeds(_needs(node, {}), texts, frozenset(_found(node, "table_name")))


def _needs(node: Mapping[str, Any], known: Mapping[str, Alternatives]) -> Alternatives:
    """Sets of tables, one of which must be filled for a query to have rows."""
    known = dict(known)
    for entry in node.get("cte_map", {}).get("map", ()):
        known[entry["key"]] = _needs(_query(entry["value"]), known)
    if node["type"] == "SET_OPERATION_NODE":
        children = [_needs(child, known) for child in _children(node)]
        return tuple(dict.fromkeys(needed for child in children for needed in child))
    if node["type"] != "SELECT_NODE" or _counts_nothing(node):
        return ANYTHING
    return _of_tables(node["from_table"], known)


def _of_tables(ref: Mapping[str, Any], known: Mapping[str, Alternatives]) -> Alternatives:
    match ref["type"]:
        case "BASE_TABLE":
            return known.get(ref["table_name"], (frozenset((ref["table_name"],)),))
        case "SUBQUERY":
            return _needs(_query(ref["subquery"]), known)
        case "JOIN" if ref["join_type"] in ("INNER", "SEMI"):
            sides = (_of_tables(ref[side], known) for side in ("left", "right"))
            return tuple(dict.fromkeys(mine | theirs for mine, theirs in product(*sides)))
        case "JOIN" if ref["join_type"] in ("LEFT", "ANTI"):
            return _of_tables(ref["left"], known)
    return ANYTHING


def _query(holder: Mapping[str, Any]) -> Mapping[str, Any]:
    found = holder.get("query_node") or holder.get("node") or holder["query"]["node"]
    assert isinstance(found, dict)
    return found


def _children(node: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    children: Sequence[Mapping[str, Any]] = node.get("children") or (node["left"], node["right"])
    united = node["setop_type"] in ("UNION", "UNION_BY_NAME")
    return children if united else children[:1]  # else the rows are those of the first


def _counts_nothing(node: Mapping[str, Any]) -> bool:
    """Whether it may answer with a row though no table has any: a total without groups."""
    grouped = node.get("group_expressions") or node["aggregate_handling"] != "STANDARD_HANDLING"
    return not grouped and any(_totals(column) for column in node["select_list"])


def _totals(expression: Any) -> bool:
    """Whether an expression, leaving out what is asked of other queries, sums rows up."""
    if isinstance(expression, list):
        return any(map(_totals, expression))
    if not isinstance(expression, dict) or expression.get("class") in ("WINDOW", "SUBQUERY"):
        return False
    if expression.get("function_name") in TOTALS:
        return True
    return any(map(_totals, expression.values()))


def _found(tree: Any, *path: str) -> Iterator[str]:
    """What lies at the end of a path anywhere in a query: its texts, its tables."""
    if isinstance(tree, list):
        for part in tree:
            yield from _found(part, *path)
    elif isinstance(tree, dict):
        at: Any = tree
        for name in path:
            at = at.get(name) if isinstance(at, dict) else None
        if isinstance(at, str):
            yield at
        for part in tree.values():
            yield from _found(part, *path)


TOTALS = frozenset(
    ("count", "count_star", "sum", "min", "max", "list", "string_agg", "bool_or", "bool_and",
     "any_value", "arg_min", "arg_max", "first", "last", "avg")
)  # fmt: skip
