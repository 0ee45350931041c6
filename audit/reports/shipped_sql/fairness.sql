-- report:      fairness
-- title:       Fairness of wheel, dice and shoe
-- description: How often each pocket, face, token and card came, beside how often it should, and what the checks of chance say about it.
-- shows:       Nothing found is no proof of fairness: a wheel on which one pocket comes twice as often shows after about 3,400 spins, one that favours a pocket slightly only after some 76,000. The checks of chance weigh the whole life of a device and stay valid however often one looks; the statistic here describes these days alone and clears or accuses nobody. Service dates of devices are not in the record.

-- section:     Devices
-- empty:       No wheel, dice, tokens or shoe was used.
-- column:      table_id | id | Table
-- column:      device | word | Device
-- column:      n | count | Results
-- column:      kinds | count | Possible values
-- column:      most | id | Most frequent
-- column:      times | count | It came
-- column:      expected | decimal | Expected
-- column:      statistic | decimal | Chi-square
-- column:      freedom | count | Degrees of freedom
with shown as (
    select table_id, device, result as value
    from chance_results
    where device = 'wheel'
        and gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    union all
    select table_id, device, unnest(string_split(result, '-'))
    from chance_results
    where device in ('dice', 'tokens')
        and gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    union all
    select table_id, 'shoe', left(card, 1)
    from shoe_order
    where gaming_day between $from::date and $to::date
        and $table in ('', table_id)
),
tallied_values as (
    select table_id, device, value, count(*) as times
    from shown
    group by all
),
summed as (
    select
        table_id,
        device,
        case device when 'wheel' then 37 when 'dice' then 6 when 'tokens' then 2 else 13 end as kinds,
        sum(times)::bigint as n,
        sum(times * times)::bigint as squares,
        arg_max(value, (times, value)) as most,
        max(times) as times
    from tallied_values
    group by all
)
select
    table_id,
    device,
    n,
    kinds,
    most,
    times,
    (10 * n // kinds) * 0.1::decimal(2, 1) as expected,
    (100::hugeint * (kinds * squares - n * n) // n)::bigint * 0.01::decimal(3, 2) as statistic,
    kinds - 1 as freedom
from summed
order by table_id, device

-- section:     Results of the wheels
-- empty:       No wheel was spun.
-- chart:       pocket_at times
-- column:      pocket_at | id | Table and pocket
-- column:      times | count | Times
-- column:      expected | decimal | Expected
with spun as (
    select table_id, result::integer as pocket, count(*) as times
    from chance_results
    where device = 'wheel'
        and gaming_day between $from::date and $to::date
        and $table in ('', table_id)
    group by all
),
of_wheel as (
    select table_id, sum(times)::bigint as spins
    from spun
    group by table_id
),
every as (
    select of_wheel.table_id, each.pocket, of_wheel.spins
    from of_wheel
    cross join (select unnest(range(37)) as pocket) as each
)
select
    every.table_id || ' ' || every.pocket as pocket_at,
    coalesce(spun.times, 0) as times,
    (10 * every.spins // 37) * 0.1::decimal(2, 1) as expected
from every
left join spun using (table_id, pocket)
order by every.table_id, times desc, every.pocket

-- section:     Faces of dice and tokens
-- empty:       No dice and no tokens were shaken.
-- chart:       face times
-- column:      table_id | id | Table
-- column:      device | word | Device
-- column:      face | id | Face
-- column:      times | count | Times
with thrown as (
    select table_id, device, unnest(string_split(result, '-')) as face
    from chance_results
    where device in ('dice', 'tokens')
        and gaming_day between $from::date and $to::date
        and $table in ('', table_id)
)
select table_id, device, face, count(*) as times
from thrown
group by all
order by table_id, device, face

-- section:     Shoes
-- empty:       No shoe of cards was loaded.
-- column:      table_id | id | Table
-- column:      shoe_id | id | Shoe
-- column:      loaded_at | time | Loaded
-- column:      decks | count | Decks
-- column:      cards | count | Cards read
-- column:      burned | count | Burned
-- column:      shuffle | word | Shuffled
-- under:       removed | word | Taken out because of
select
    shoe.table_id,
    shoe.shoe_id,
    shoe.loaded_at,
    shoe.decks,
    (
        select count(*)
        from shoe_order as drawn
        where drawn.table_id = shoe.table_id
            and drawn.shoe_id = shoe.shoe_id
            and drawn.gaming_day is not distinct from shoe.gaming_day
    ) as cards,
    shoe.burn_count as burned,
    if(shoe.shuffled, 'seen', 'not seen') as shuffle,
    shoe.removed
from shoes as shoe
where shoe.gaming_day between $from::date and $to::date
    and $table in ('', shoe.table_id)
order by shoe.table_id, shoe.loaded_seq

-- section:     What the checks of chance and of shoes found
-- empty:       The checks of chance and of shoes told of nothing up to now.
-- column:      check_id | id | Check
-- column:      table_id | id | Table
-- column:      title | title | What it looks for
-- under:       finding_id | id | Finding
-- under:       state | word | State
-- under:       expected | finding | Expected
-- under:       found | finding | Found
select check_id, table_id, title, finding_id, state, expected, found, gaming_day
from findings
where state <> 'gone'
    and regexp_matches(check_id, '^(RNG|SHOE|STAT)-')
    and coalesce(gaming_day, $from::date) between $from::date and $to::date
    and $table in ('', table_id)
order by check_id, table_id, finding_id
