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
        cases,
        checks,
        dealers,
        devices,
        find,
        floor,
        health,
        packs,
        queue,
        player,
        rules,
        sql,
        topics,
    )
)
