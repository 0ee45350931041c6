-- report:      savings
-- title:       Savings and losses
-- description: What each check found in a month, how much money was at stake for the house and for players, and what people made of it.
-- shows:       At stake is what the record shows, not what was recovered: corrections are paid in disputes and are on record there. The share of real ones counts findings that somebody confirmed or marked false; a check that nobody reviewed has none.

-- section:     Together
-- empty:       The checks found nothing.
-- column:      currency | id | Currency
-- column:      findings | count | Findings
-- column:      house_minor | money | At stake: house
-- column:      player_minor | money | At stake: players
-- column:      house_sure | money | House, certain
-- column:      player_sure | money | Players, certain
select
    currency,
    count(*) as findings,
    sum(house_minor)::bigint as house_minor,
    sum(player_minor)::bigint as player_minor,
    coalesce(sum(house_minor) filter (where certain), 0)::bigint as house_sure,
    coalesce(sum(player_minor) filter (where certain), 0)::bigint as player_sure
from findings
where state <> 'gone'
    and coalesce(gaming_day, $from::date) between $from::date and $to::date
    and $table in ('', table_id)
group by currency
order by currency

-- section:     By check and month
-- empty:       There is nothing to list.
-- chart:       month+check_id findings
-- column:      month | id | Month
-- column:      check_id | id | Check
-- column:      title | title | What it looks for
-- column:      findings | count | Findings
-- column:      house_minor | money | At stake: house
-- column:      player_minor | money | At stake: players
-- column:      currency | id | Currency
-- under:       confirmed | count | Confirmed
-- under:       explained | count | Explained
-- under:       wrong | count | False alarms
-- under:       unreviewed | count | Nobody looked yet
-- under:       real_share | decimal | Real ones, %
-- under:       gone | count | Gone since
-- under:       reviews | count | Reviews
with reviewed as (
    select
        finding_id,
        count(*) as reviews,
        bool_or(verb = 'confirm') as confirmed,
        bool_or(verb = 'explain') as explained,
        bool_or(verb = 'false') as wrong
    from finding_reviews
    group by finding_id
),
counted as (
    select
        strftime(coalesce(finding.gaming_day, $from::date), '%Y-%m') as month,
        finding.check_id,
        finding.title,
        finding.currency,
        count(*) filter (where finding.state <> 'gone') as findings,
        coalesce(sum(finding.house_minor) filter (where finding.state <> 'gone'), 0)::bigint as house_minor,
        coalesce(sum(finding.player_minor) filter (where finding.state <> 'gone'), 0)::bigint as player_minor,
        count(*) filter (where reviewed.confirmed) as confirmed,
        count(*) filter (where reviewed.explained) as explained,
        count(*) filter (where reviewed.wrong) as wrong,
        count(*) filter (where finding.state = 'new') as unreviewed,
        count(*) filter (where finding.state = 'gone') as gone,
        coalesce(sum(reviewed.reviews), 0)::bigint as reviews
    from findings as finding
    left join reviewed using (finding_id)
    where coalesce(finding.gaming_day, $from::date) between $from::date and $to::date
        and $table in ('', finding.table_id)
    group by all
)
select
    *,
    if(confirmed + wrong > 0, (1000 * confirmed) // (confirmed + wrong) * 0.1::decimal(2, 1), null) as real_share
from counted
order by month, check_id, currency
