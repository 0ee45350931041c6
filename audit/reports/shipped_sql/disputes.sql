-- report:      disputes
-- title:       Dispute register
-- description: Every dispute over a round of the gaming day: what is claimed, where it stands, which promises were kept, and what the authority must be told.
-- shows:       The words of a claim and of a decision are in the case itself (roundproof case show) and in its evidence pack. What is overdue is overdue by the latest time that the record knows.

-- section:     Disputes
-- layout:      facts
-- column:      raised | count | Raised
-- column:      undecided | count | Not decided yet
-- column:      open | count | Still open
-- column:      overdue | count | Overdue
-- column:      notices | count | Notices still due
select
    count(*) as raised,
    count(*) filter (where decided_at is null and closed_at is null) as undecided,
    count(*) filter (where closed_at is null) as open,
    count(*) filter (
        where coalesce(decided_at, closed_at, as_of) > promised_at
            or coalesce(informed_at, as_of) > inform_due_at
            or coalesce(reviewed_at, as_of) > complaint_due_at
            or coalesce(notified_at, as_of) > notice_due_at
    ) as overdue,
    count(*) filter (where notice_due_at is not null and notified_at is null) as notices
from cases
where coalesce(gaming_day, $from::date) between $from::date and $to::date
    and $table in ('', table_id)

-- section:     By stage
-- empty:       No dispute was raised.
-- chart:       stage disputes
-- column:      stage | word | Stage
-- column:      disputes | count | Disputes
-- column:      amount_minor | money | Claimed
-- column:      currency | id | Currency
select
    stage,
    count(*) as disputes,
    sum(amount_minor)::bigint as amount_minor,
    currency
from cases
where coalesce(gaming_day, $from::date) between $from::date and $to::date
    and $table in ('', table_id)
group by stage, currency
order by stage, currency

-- section:     Register
-- empty:       There is no dispute to list.
-- column:      case_id | id | Dispute
-- column:      raised_at | time | Raised
-- column:      game | id | Game
-- column:      player | id | Player
-- column:      amount_minor | money | Claimed
-- column:      currency | id | Currency
-- column:      stage | word | Stage
-- under:       round_id | id | Round
-- under:       clauses | list | Clauses
-- under:       promise | word | Answer promised and
-- under:       complaint | word | Right to complain
-- under:       answer | word | The player
-- under:       footage | word | Footage
-- under:       notice | said | Notice to the authority
-- under:       notice_due_at | time | Notice due
-- under:       notified_at | time | Notice given
-- under:       escalated_at | time | Escalated
-- under:       informed_at | time | Surveillance informed
-- under:       promised_at | time | Promised by
-- under:       decided_at | time | Decided
-- under:       decided_by | id | Decided by
-- under:       told_at | time | Player told
-- under:       closed_at | time | Closed
with taken as (
    select
        case_id,
        list(distinct clause order by clause) as clauses,
        arg_max(person_id || ' (' || rank || ')', number) filter (where step = 'decide') as decided_by
    from case_steps
    group by case_id
)
select
    dispute.case_id,
    dispute.raised_at,
    round.game,
    coalesce(nullif(dispute.player_id, ''), 'the house') as player,
    nullif(dispute.amount_minor, 0) as amount_minor,
    dispute.currency,
    dispute.stage,
    dispute.round_id,
    taken.clauses,
    case
        when dispute.promised_at is null then null
        when dispute.decided_at is null and dispute.as_of > dispute.promised_at then 'overdue'
        when dispute.decided_at is null then 'still open'
        when dispute.decided_at > dispute.promised_at then 'not kept'
        else 'kept'
    end as promise,
    case
        when dispute.right_told is null then null
        when dispute.right_told then 'told'
        else 'not told'
    end as complaint,
    case
        when dispute.agrees is null then null
        when dispute.agrees then 'agrees'
        else 'does not agree'
    end as answer,
    if(dispute.video_held, 'held', 'not held') as footage,
    dispute.notice,
    dispute.notice_due_at,
    dispute.notified_at,
    dispute.escalated_at,
    dispute.informed_at,
    dispute.promised_at,
    dispute.decided_at,
    taken.decided_by,
    dispute.told_at,
    dispute.closed_at
from cases as dispute
left join taken using (case_id)
left join rounds as round
    on round.table_id = dispute.table_id
    and round.round_id = dispute.round_id
where coalesce(dispute.gaming_day, $from::date) between $from::date and $to::date
    and $table in ('', dispute.table_id)
order by dispute.raised_at, dispute.case_id
