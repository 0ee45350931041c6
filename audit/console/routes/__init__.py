"""The pages of the console, one module a screen."""

from audit.console.routes import (
    access,
    account,
    accounts,
    cases,
    checks,
    dealers,
    devices,
    find,
    floor,
    health,
    packs,
    player,
    queue,
    rules,
    sql,
    topics,
)

ROUTERS = tuple(
    module.router
    for module in (
        access,
        account,
        accounts,
        packs,
        cases,
        checks,
        dealers,
        devices,
        find,
        floor,
        health,
        queue,
        player,
        rules,
        sql,
        topics,
    )
)

# The id of a round may hold a slash, so in each router (packs before cases) a page that ends in
# such an id is looked for last.
for each in ROUTERS:
    each.routes.sort(key=lambda route: getattr(route, "path", "").endswith(":path}"))
