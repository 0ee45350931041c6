"""The named parameters of a query, such as $table: which it has, and their values."""

from collections.abc import Mapping

import duckdb

from audit.cli.errors import Code, Stopped


def names(sql: str) -> list[str]:
    """The names of a query's parameters, sorted; none where it cannot be parsed."""
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error:
        return []
    return sorted({name for statement in statements for name in statement.named_parameters})


def required(sql: str, given: Mapping[str, str]) -> dict[str, str]:
    """The values of exactly the parameters that a query has; raise Stopped where one is missing."""
    wanted = names(sql)
    missing = [name for name in wanted if name not in given]
    if missing:
        what = f"a value expected for {', '.join(f'${name}' for name in missing)}"
        raise Stopped(what, "fill in the field below the query", Code.USAGE)
    return {name: given[name] for name in wanted}
