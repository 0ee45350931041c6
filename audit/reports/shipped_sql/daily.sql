-- report:      daily
-- title:       Daily exceptions
-- description: What the checks found on the gaming day: the round, what was expected, what was found, whose money is at stake, who was on duty, and who cleared it.
-- shows:       A finding whose day no check knows is in the report of every day. A finding is a difference to look into, not a verdict about a person. Money at stake is what may have been lost, as far as the record shows.

-- section:     The day
-- layout:      facts
-- column:      tables | count | Tables
-- column:      rounds | count | Rounds
-- column:      findings | count | Findings
-- column:      certain | count | Of them certain
-- column:      open | count | Still open
with days as (
    select *
    from table_days
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
),
found as (
    select *
    from findings
    where state <> 'gone'
        and coalesce(gaming_day, $from::date) between $from::date and $to::date
        and $table in ('', table_id)
)
select
    (select count(distinct table_id) from days) as tables,
    (select coalesce(sum(rounds), 0)::bigint from days) as rounds,
    (select count(*) from found) as findings,
    (select count(*) from found where certain) as certain,
    (select count(*) from found where state in ('new', 'acknowledged', 'in_review')) as open

-- section:     By check
-- empty:       The checks found nothing on this day.
-- chart:       check_id findings
-- column:      severity | id | Severity
-- column:      check_id | id | Check
-- column:      title | title | What it looks for
-- column:      findings | count | Findings
-- column:      house_minor | money | At stake: house
-- column:      player_minor | money | At stake: players
-- column:      currency | id | Currency
select
    severity,
    check_id,
    title,
    count(*) as findings,
    sum(house_minor)::bigint as house_minor,
    sum(player_minor)::bigint as player_minor,
    currency
from findings
where state <> 'gone'
    and coalesce(gaming_day, $from::date) between $from::date and $to::date
    and $table in ('', table_id)
group by all
order by severity, check_id, currency

-- section:     Each finding
-- empty:       There is no finding to list.
-- column:      severity | id | Severity
-- column:      happened_at | time | Time
-- column:      round_id | id | Round
-- column:      title | title | What it looks for
-- column:      house_minor | money | At stake: house
-- column:      player_minor | money | At stake: players
-- column:      currency | id | Currency
-- under:       finding_id | id | Finding
-- under:       certainty | word | Certainty
-- under:       subject | id | Concerns
-- under:       expected | finding | Expected
-- under:       found | finding | Found
-- under:       staff | id | Dealer and inspector
-- under:       state | word | State
-- under:       cleared_by | id | Last reviewed by
-- under:       reason | said | Reason
-- under:       case_ids | id | Disputes
with last_review as (
    select finding_id, arg_max(struct_pack(person_id, rank, reason), number) as review
    from finding_reviews
    group by finding_id
),
disputed as (
    select round_id, string_agg(case_id, ', ' order by case_id) as case_ids
    from cases
    group by round_id
)
select
    finding.severity,
    coalesce(round.opened_at, evidence.first_at) as happened_at,
    coalesce(finding.round_id, finding.table_id) as round_id,
    finding.table_id,
    finding.gaming_day,
    round.game,
    finding.title,
    finding.house_minor,
    finding.player_minor,
    finding.currency,
    finding.finding_id,
    if(finding.certain, 'certain', 'possible') as certainty,
    finding.subject,
    finding.expected,
    finding.found,
    concat_ws(', ', round.dealer_id, round.inspector_id) as staff,
    finding.state,
    review.review.person_id as cleared_by,
    review.review.reason as reason,
    disputed.case_ids
from findings as finding
left join rounds as round using (table_id, round_id)
left join last_review as review using (finding_id)
left join disputed on disputed.round_id = finding.round_id
left join (
    select finding_id, min(event.occurred_at) as first_at
    from (select finding_id, unnest(evidence) as event_id from findings) as cited
    join events as event using (event_id)
    group by finding_id
) as evidence on evidence.finding_id = finding.finding_id
where finding.state <> 'gone'
    and coalesce(finding.gaming_day, $from::date) between $from::date and $to::date
    and $table in ('', finding.table_id)
order by finding.severity, finding.table_id, finding.round_id nulls first, finding.finding_id
