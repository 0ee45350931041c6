-- check:     REC-08
-- title:     A device takes cards for others more often than chance
-- severity:  S3
-- live:      no
-- clauses:   NN:8.4.6, TB:8.4.6, TH:8.4.6, SA-AB:1.2, SA-BC:2.2, SA-BJ:3.4, SA-DT:4.2, SA-PD:6.3,
--            SA-TP:9.2
-- why:       Now and then every device errs. One that errs again and again, with one card or with
--            many, is dirty, out of focus or broken, and hides a real switch among its own errors.
-- benign:    Nothing to do with the play: clean or change the device. Where the other witness is the
--            one that errs, the pairs of cards say so.

with
wrong as (
    select
        table_id,
        gaming_day,
        device_id,
        card,
        sum(n)::bigint as readings,
        coalesce(sum(n) filter (said <> card), 0)::bigint as errors,
        (sum(n * wrong_ppb)::bigint + 999) // 1000 as expected_ppm,
        coalesce(
            string_agg(said || ' ' || n, ', ' order by n desc, said) filter (said <> card), ''
        ) as pairs,
        flatten(list(evidence order by said)) as evidence
    from confusions
    group by table_id, gaming_day, device_id, card
),
of_devices as (
    select
        table_id,
        gaming_day,
        device_id,
        'cards' as about,
        sum(readings)::bigint as readings,
        sum(errors)::bigint as errors,
        sum(expected_ppm)::bigint as expected_ppm,
        string_agg(card || ' ' || errors, ', ' order by errors desc, card) filter (errors > 0)
            as pairs,
        flatten(list(evidence order by card)) as evidence
    from wrong
    group by table_id, gaming_day, device_id
),
counted as (
    select table_id, gaming_day, device_id, card as about, * exclude (
        table_id, gaming_day, device_id, card
    )
    from wrong
    union all
    from of_devices
)
select
    count.device_id || ' ' || count.about || ' ' || coalesce(count.gaming_day::varchar, '')
                                                                as subject,
    count.table_id,
    null                                                        as round_id,
    true                                                        as certain,
    'fewer than ' || beyond_chance(count.expected_ppm) || ' errors of ' || count.device_id
        || ' in ' || counted(count.readings, 'reading') || ' of ' || count.about
                                                                as expected,
    counted(count.errors, 'error') || ': '
        || case when count.about = 'cards' then 'with ' else count.about || ' taken for ' end
        || count.pairs                                          as found,
    list_sort(list_distinct(count.evidence))                    as evidence,
    count.gaming_day
from counted as count
where count.errors >= beyond_chance(count.expected_ppm)
order by count.table_id, count.gaming_day, subject
