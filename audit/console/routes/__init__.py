"""The pages of the console, one module a screen."""

from audit.console.routes import (
    account,
    accounts,
    checks,
    dealers,
    devices,
    find,
    floor,
    health,
    player,
    queue,
    rules,
    sql,
)

ROUTERS = tuple(
    module.router
    for module in (
        account,
        accounts,
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
    )
)
