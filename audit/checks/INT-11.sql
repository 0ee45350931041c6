-- check:     INT-11
-- title:     Record corrected by its own dealer, or long afterwards
-- severity:  S2
-- live:      no
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       Nobody corrects the record of their own round, and an entry said to be more than ten
--            minutes old when it is made rests on memory alone.
-- benign:    The pit was busy and the correction is backed by the cameras.

with
concerned as (
    select
        correction.* exclude (round_id),
        coalesce(corrected.round_id, correction.round_id) as round_id,
        coalesce(
            correction.claimed_at < correction.ingested_at - to_minutes(10), false
        ) as backdated
    from corrections as correction
    left join events as corrected
        on corrected.table_id = correction.table_id
        and corrected.event_id = correction.corrected_id
)
select
    correction.event_id                                         as subject,
    correction.table_id,
    correction.round_id,
    true                                                        as certain,
    'a correction within 10 min, by somebody other than the dealer of the round'
                                                                as expected,
    correction.rank || ' ' || correction.author
        || case
            when correction.author = round.dealer_id then ', who dealt the round,'
            else ''
        end
        || ' corrected ' || correction.corrected_id
        || case
            when correction.backdated then ' and says it was at '
                || clock(correction.claimed_at) || ', '
                || date_diff('minute', correction.claimed_at, correction.ingested_at)
                || ' min before'
            else ''
        end
        || case when correction.reason = '' then '' else ': ' || correction.reason end
                                                                as found,
    [correction.corrected_id, correction.event_id]              as evidence
from concerned as correction
left join rounds as round using (table_id, round_id)
where correction.backdated
    or correction.author = round.dealer_id
order by correction.table_id, correction.round_id, subject
