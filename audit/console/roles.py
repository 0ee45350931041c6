"""Who may do what in the console. This table is the only place that says so.

Whatever the table does not grant is refused: a route names its action, and a route without one does
not start (app.py). A supervisor sees their own pit; an administrator sees no evidence.
"""

from collections.abc import Mapping
from enum import StrEnum


class AccountRole(StrEnum):
    """The role of an account."""

    SUPERVISOR = "supervisor"
    SURVEILLANCE = "surveillance"
    INVESTIGATOR = "investigator"
    AUDITOR = "auditor"
    ADMIN = "admin"


class Action(StrEnum):
    """What a page or an answer shows or does."""

    SIGNED_IN = "signed_in"  # one's own account and the list of keys
    SEE_FLOOR = "see_floor"
    SEE_FINDINGS = "see_findings"
    WORK_FINDINGS = "work_findings"  # acknowledge, explain, clear
    SEE_ROUNDS = "see_rounds"
    ASK_WHAT_IF = "ask_what_if"
    SEE_CASES = "see_cases"
    WORK_CASES = "work_cases"
    DECIDE_CASES = "decide_cases"
    BUILD_PACKS = "build_packs"
    EXPORT_PACKS = "export_packs"  # a second person agrees
    RUN_SQL = "run_sql"
    SEE_CHECKS = "see_checks"
    SEE_DEVICES = "see_devices"
    SEE_DEALERS = "see_dealers"
    SEE_RULES = "see_rules"
    SEE_HEALTH = "see_health"
    SEE_ACCESS = "see_access"
    SEE_TOPICS = "see_topics"
    REDRIVE = "redrive"  # take dead letters in again
    MANAGE_ACCOUNTS = "manage_accounts"


_FLOOR = {
    Action.SEE_FLOOR,
    Action.SEE_FINDINGS,
    Action.SEE_ROUNDS,
    Action.SEE_RULES,
    Action.SEE_CASES,
    Action.WORK_CASES,
}
# A supervisor decides disputes of their own pit; which rank may decide what, and that nobody judges
# their own round, is said by clause 8 (audit/cases/rules.py).
_SUPERVISOR = _FLOOR | {Action.DECIDE_CASES}
_SURVEILLANCE = _FLOOR | {
    Action.WORK_FINDINGS,
    Action.ASK_WHAT_IF,
    Action.SEE_CHECKS,
    Action.SEE_DEVICES,
    Action.SEE_DEALERS,
    Action.SEE_HEALTH,
}
_INVESTIGATOR = _SURVEILLANCE | {
    Action.DECIDE_CASES,
    Action.BUILD_PACKS,
    Action.EXPORT_PACKS,
}
_AUDITOR = {
    Action.SEE_FLOOR,
    Action.SEE_FINDINGS,
    Action.SEE_ROUNDS,
    Action.ASK_WHAT_IF,
    Action.SEE_CASES,
    Action.EXPORT_PACKS,
    Action.RUN_SQL,
    Action.SEE_CHECKS,
    Action.SEE_DEVICES,
    Action.SEE_DEALERS,
    Action.SEE_RULES,
    Action.SEE_HEALTH,
    Action.SEE_ACCESS,
    Action.SEE_TOPICS,
}
_ADMIN = {
    Action.SEE_RULES,
    Action.SEE_HEALTH,
    Action.SEE_TOPICS,
    Action.REDRIVE,
    Action.MANAGE_ACCOUNTS,
}

GRANTED: Mapping[AccountRole, frozenset[Action]] = {
    role: frozenset({Action.SIGNED_IN} | actions)
    for role, actions in {
        AccountRole.SUPERVISOR: _SUPERVISOR,
        AccountRole.SURVEILLANCE: _SURVEILLANCE,
        AccountRole.INVESTIGATOR: _INVESTIGATOR,
        AccountRole.AUDITOR: _AUDITOR,
        AccountRole.ADMIN: _ADMIN,
    }.items()
}

# These roles sign in with a one-time code beside the password.
NEEDS_CODE = frozenset({AccountRole.INVESTIGATOR, AccountRole.AUDITOR, AccountRole.ADMIN})

# A password without a one-time code beside it must be longer.
SHORTEST, SHORTEST_ALONE = 12, 15


def may(role: AccountRole, action: Action) -> bool:
    """Whether a role may do something."""
    return action in GRANTED[role]


def needs(action: Action) -> tuple[AccountRole, ...]:
    """The roles that may do something, for the person who may not."""
    return tuple(role for role in AccountRole if may(role, action))
