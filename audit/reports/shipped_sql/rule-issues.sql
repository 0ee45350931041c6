-- report:      rule-issues
-- title:       Rule issues and interpretations
-- description: Where the text of a rulebook is unclear: the reading that the rules follow, the readings they might, and what was played under each clause.
-- shows:       Counted are wagers whose due cites the clause; another reading need not change it. What another reading would change is told by roundproof reaudit --reading. The record does not say who chose a reading, and since when. An issue is told in the words of the edition, in English.
-- input:       rule_issues

-- section:     Rulebooks in use
-- empty:       No rulebook with an issue was in use.
-- chart:       game issues
-- column:      game | id | Game
-- column:      edition | id | Edition
-- column:      rounds | count | Rounds
-- column:      issues | count | Issues
-- column:      open | count | With other readings
with issue as (
    select unnest(from_json($input::json, '[{"game": "varchar", "edition": "varchar", "anchor": "varchar", "alternatives": ["varchar"]}]'), recursive := true)
),
used as (
    select game, edition, count(*) as rounds
    from rounds
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    group by game, edition
)
select
    used.game,
    used.edition,
    used.rounds,
    count(*) as issues,
    count(*) filter (where len(issue.alternatives) > 0) as open
from used
join issue using (game, edition)
group by used.game, used.edition, used.rounds
order by used.game, used.edition

-- section:     Issues
-- empty:       There is no issue to list.
-- column:      anchor | id | Clause
-- column:      reading | id | Read as
-- column:      wagers | count | Wagers under the clause
-- column:      staked | money | Staked
-- column:      currency | id | Currency
-- under:       name | id | Issue
-- under:       alternatives | list | Other readings
-- under:       what | said | Unclear
with issue as (
    select unnest(from_json($input::json, '[{"game": "varchar", "edition": "varchar", "name": "varchar", "anchor": "varchar", "what": "varchar", "reading": "varchar", "alternatives": ["varchar"]}]'), recursive := true)
),
used as (
    select distinct game, edition
    from rounds
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
),
decided as (
    select round.game, round.edition, round.currency, due.anchor, count(*) as wagers, sum(due.stake)::bigint as staked
    from (
        select table_id, round_id, stake, unnest(list_distinct(clauses)) as anchor
        from dues
        where gaming_day between $from::date and $to::date
            and $table in ('', table_id)
    ) as due
    join rounds as round using (table_id, round_id)
    group by all
)
select
    issue.game,
    issue.anchor,
    issue.name,
    issue.what,
    issue.reading,
    issue.alternatives,
    coalesce(decided.wagers, 0) as wagers,
    coalesce(decided.staked, 0) as staked,
    decided.currency
from issue
join used using (game, edition)
left join decided using (game, edition, anchor)
order by issue.game, issue.edition, wagers desc, issue.anchor, issue.name, decided.currency
