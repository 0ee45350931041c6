-- What several checks and auditors read, derived from the tables of replay/tables/tables.sql.
--
-- A connection of ours makes all of it for itself, as temporary; the house's file holds the same for
-- other readers. Under the words above a view, indented lines say what its own columns mean, and a
-- line `trigger` what a round must show for the view to have rows (audit/checks/triggers.py).

-- An amount for people: `1,234,567 VND`. The same as schemas/money.py says it.
create or replace temp macro money(minor, currency) as
    case
        when coalesce(currency, '') = '' then format('{:,}', minor)
        when currency in (
            'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF',
            'XPF'
        ) then format('{:,}', minor)
        when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND')
            then case when minor < 0 then '-' else '' end
                || format('{:,}.{:03d}', abs(minor) // 1000, abs(minor) % 1000)
        else case when minor < 0 then '-' else '' end
            || format('{:,}.{:02d}', abs(minor) // 100, abs(minor) % 100)
    end || ' ' || coalesce(nullif(currency, ''), 'of an unknown currency');

-- What was taken from a reserve, where either side took any.
create or replace temp macro of_reserve(amount, owed, seen, currency) as
    case when owed + seen = 0 then '' else money(amount, currency) || ' of the reserve, ' end;

-- A time for people. Gaming days are short, so the time of day is enough.
create or replace temp macro clock(moment) as strftime(moment, '%H:%M:%S.%g') || ' UTC';

-- So many of a thing: `1 round`, `2 rounds`.
create or replace temp macro counted(n, thing) as
    format('{:,}', n) || ' ' || thing || case when n = 1 then '' else 's' end;

-- A sentence and, where there is one, the note that goes with it.
create or replace temp macro noted(sentence, note) as
    sentence || case when coalesce(note, '') = '' then '' else ': ' || note end;

-- Whether a misreading is likely enough to be told beside anything worse: one chance in twenty.
create or replace temp macro may_be_misread(misread_ppm) as coalesce(misread_ppm > 50000, false);

-- From how many on a count is no chance any more, where so many millionths are expected: such a
-- count, or a larger one, is a Poisson event of one in a hundred million at most, and never below
-- three. Each entry is the largest expectation for its count, from three on; the test of the check
-- holds every one of them to exact fractions.
create or replace temp macro beyond_chance(expected_ppm) as
    case
        when expected_ppm > 8584134 then 14 + (2 * expected_ppm + 999999) // 1000000
        else 3 + len(
            list_filter(
                [
                    3918, 22232, 66163, 141798, 250989, 393197, 566755, 769570, 999465, 1254350,
                    1532280, 1831488, 2150374, 2487504, 2841586, 3211461, 3596086, 3994519,
                    4405910, 4829488, 5264552, 5710461, 6166633, 6632532, 7107667, 7591586,
                    8083871, 8584134
                ],
                lambda most: most < expected_ppm
            )
        )
    end;

-- Whether a call is right about a result; it may say less, as the side without the count.
create or replace temp macro agrees(said, result) as
    said = result or starts_with(result, said || ' ');

-- Error bounds: the earliest and the latest a device's time can mean.
create or replace temp macro earliest(moment, err_ms) as
    moment - to_milliseconds(coalesce(err_ms, 0));
create or replace temp macro latest(moment, err_ms) as
    moment + to_milliseconds(coalesce(err_ms, 0));

-- What a sensor shows by its amounts, where the change that it gives is another one.
create or replace temp macro shown_by_amounts(contradicted, amount, currency) as
    case
        when contradicted
            then 'the sensor contradicts itself, by its amounts ' || money(amount, currency)
    end;

-- The pockets of a single-zero wheel, clockwise from zero.
create or replace temp macro wheel() as [
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20,
    14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26
];

-- The logarithm of the mean of numbers that are given by their logarithms.
create or replace temp macro log_mean(logs) as
    list_max(logs) + ln(list_avg(list_transform(logs, lambda each: exp(each - list_max(logs)))));

-- How strongly counts speak against chances that stand to one another as these weights do, as the
-- logarithm of an e-value: how much likelier the counts are if the chances were drawn from a
-- Dirichlet distribution around the weights. The larger the spread, the nearer to them.
create or replace temp macro bias_around(counts, weights, spread) as
    lgamma(spread) - lgamma(spread + list_sum(counts)) + list_sum(
        list_transform(
            list_zip(counts, weights),
            lambda cell: lgamma(spread * cell[2] / list_sum(weights) + cell[1])
                - lgamma(spread * cell[2] / list_sum(weights))
                - cell[1] * ln(cell[2] / list_sum(weights))
        )
    );

-- The same, with large, middling and small biases as alternatives of equal weight. Its mean under
-- chance is one however often one looks, so that a value beyond ln(1/p) comes with chance p at most.
create or replace temp macro bias_evidence(counts, weights) as
    log_mean([
        bias_around(counts, weights, 1.0 * len(weights)),
        bias_around(counts, weights, 10.0 * len(weights)),
        bias_around(counts, weights, 100.0 * len(weights))
    ]);

-- What an e-value must reach to be told: chance gives it to one of 100,000 devices at most, ever.
create or replace temp macro told_evidence() as ln(100000);

-- Evidence for people, as a power of ten: `more than 100,000 to 1 against chance`.
create or replace temp macro odds_against_chance(evidence) as
    'more than ' || case
        when evidence < 30 then format('{:,}', (10 ** floor(evidence / ln(10)))::bigint)
        else '10^' || floor(evidence / ln(10))::bigint
    end || ' to 1 against chance';

-- How many things of a day there are, how many of them are in a part, how many are marked, and how
-- many are both, which are the hits.
create or replace temp macro tallied(in_part, marked) as {
    'whole': count(*),
    'part': count(*) filter (in_part),
    'marked': count(*) filter (marked),
    'hits': count(*) filter (in_part and marked)
};

-- The logarithm of the number of ways to choose so many of a number of things.
create or replace temp macro ln_ways(things, chosen) as
    lgamma(things + 1) - lgamma(chosen + 1) - lgamma(things - chosen + 1);

-- How much likelier a tally is if the odds of a mark are so many times as high in the part, as the
-- logarithm of a likelihood ratio. How many are marked and how large the part is are taken as they are.
create or replace temp macro leaning_by(tally, times) as
    (tally.hits - tally.marked) * ln(times) - ln(greatest(1e-300, list_sum(
        list_transform(
            range(
                greatest(0, tally.marked - tally.whole + tally.part),
                least(tally.marked, tally.part) + 1
            ),
            lambda hits: exp(
                ln_ways(tally.part, hits) + ln_ways(tally.whole - tally.part, tally.marked - hits)
                    - ln_ways(tally.whole, tally.marked) + (hits - tally.marked) * ln(times)
            )
        )
    )));

-- How strongly the tallies of several days speak for marks that fall on the part rather than on the
-- rest, as the logarithm of an e-value: odds three, ten and a hundred times as high have equal
-- weight. Its mean under chance is one, however often one looks and when one stops.
create or replace temp macro leaning_evidence(tallies) as
    log_mean([
        list_sum(list_transform(tallies, lambda tally: leaning_by(tally, 3.0))),
        list_sum(list_transform(tallies, lambda tally: leaning_by(tally, 10.0))),
        list_sum(list_transform(tallies, lambda tally: leaning_by(tally, 100.0)))
    ]);

-- What the e-value of one of many streams must reach when it is the so-many-th largest of them: of
-- all that are told, one in a hundred is told by chance on average (e-BH), whatever they share.
create or replace temp macro discovery_bar(streams, place) as ln(100.0 * streams / place);

-- Flags of the rules, one row a round, code and subject, with the events behind them.
--     clauses: the clauses behind it
--     note: more about it; null where there is nothing
--     concerns: code and subject as one word
--     evidence: ids of the events it was read from
create or replace temp view raised as
with
flagged as (
    select
        table_id,
        round_id,
        game,
        code,
        subject,
        coalesce(list(distinct clause order by clause) filter (clause <> ''), []) as clauses,
        string_agg(distinct note, '; ' order by note) filter (note <> '') as note
    from flags
    group by all
),
stepped as (
    select
        flag.round_id,
        flag.code,
        flag.subject,
        flatten(list(step.evidence order by step.n)) as evidence
    from flagged as flag
    join steps as step
        on step.round_id = flag.round_id
        and list_has_any(step.clauses, flag.clauses)
        -- what one wager owes says nothing about another, nor about the round
        and step.wager_id in ('', flag.subject)
    group by all
),
gathered as (
    select
        flag.*,
        round.currency,
        round.recorded_status,
        round.status,
        coalesce(step.evidence, [])
            || case when wager.event_id is null then [] else [wager.event_id] end
            || case when named.event_id is null then [] else [named.event_id] end as evidence,
        opening.event_id as opening_id
    from flagged as flag
    join rounds as round using (table_id, round_id)
    left join stepped as step using (round_id, code, subject)
    left join wagers as wager
        on wager.table_id = flag.table_id
        and wager.round_id = flag.round_id
        and wager.wager_id = flag.subject
    left join events as named
        on named.table_id = flag.table_id
        and named.event_id = flag.subject
    left join events as opening
        on opening.table_id = round.table_id
        and opening.round_id = round.round_id
        and opening.seq = round.opened_seq
)
select
    * exclude (evidence, opening_id),
    trim(code || ' ' || subject) as concerns,
    case
        when len(evidence) > 0 then list_sort(list_distinct(evidence))
        when opening_id is not null then [opening_id]
        else []
    end as evidence
from gathered;

-- Gaps in the numbers of a device that nothing has filled since.
--     numbers: how many it left out
--     come_since: how many of them came in late
create or replace temp view open_gaps as
select
    alarm.*,
    alarm.found - alarm.expected as numbers,
    (
        select count(distinct event.device_seq)
        from events as event
        where event.table_id = alarm.table_id
            and event.device_id = alarm.device_id
            and event.device_seq >= alarm.expected
            and event.device_seq < alarm.found
    ) as come_since
from alarms as alarm
where alarm.kind = 'GapFound'
    and numbers > come_since;

-- Payments whose round has no such wager, with the round that has it: the last one before them.
create or replace temp view stray_payments as
with
astray as (
    from payments
    anti join wagers using (table_id, round_id, wager_id)
)
select payment.* replace (wager.round_id as round_id)
from astray as payment
join (from wagers semi join astray using (table_id, wager_id)) as wager
    on wager.table_id = payment.table_id
    and wager.wager_id = payment.wager_id
    and wager.placed_seq < payment.seq
qualify row_number() over (partition by payment.event_id order by wager.placed_seq desc) = 1;

-- Payments with the round their wager belongs to.
create or replace temp view wager_payments as
select payment.* replace (round.gaming_day as gaming_day)
from (
    from payments
    semi join wagers using (table_id, round_id, wager_id)
    union all
    from stray_payments
) as payment
join rounds as round using (table_id, round_id);

-- Those of them that reopen their round: it was closed already. One that only came in late (its own
-- time is before the closing) does not.
create or replace temp view reopening_payments as
with
closed_before as (
    select payment.*
    from payments as payment
    join rounds as round using (table_id, round_id)
    where payment.seq > round.ended_seq
)
select payment.* replace (round.gaming_day as gaming_day)
from (
    from closed_before
    semi join wagers using (table_id, round_id, wager_id)
    union all
    from stray_payments
) as payment
join rounds as round using (table_id, round_id)
where payment.seq > round.ended_seq
    and payment.paid_at > round.ended_at;

-- Every wager settled otherwise than due, with the rule of settlement that it falls under: the first
-- that fits, so that exactly one check tells of it.
--     kind: free hand, void round, below minimum, over maximum, pro rata, reserve, stand-off, other
--         table's chips, commission, or plain where none of these applies
--     expected: what the rules owe, as a sentence
--     found: what was seen, as a sentence
--     evidence: ids of the wager and its payments
--     house_minor: what the house lost by it
--     player_minor: what the player lost by it
--     called_off: whether an open wager went back whole in a round that the table called void
-- trigger: paid other than due
create or replace temp view mispaid as
with
differing as (
    from settlements
    where differs
),
compared as (
    select
        due.* replace (
            coalesce(due.reserve_taken, 0) as reserve_taken,
            due.returned + coalesce(due.reserve_returned, 0) as returned
        ),
        seen.paid as seen_paid,
        seen.commission as seen_commission,
        seen.collected as seen_collected,
        seen.reserve_taken as seen_reserve,
        seen.returned as seen_returned,
        seen.paid_gap,
        seen.commission_gap,
        seen.collected_gap,
        seen.reserve_gap,
        seen.paid_gap - seen.collected_gap - seen.reserve_gap as net_gap,
        -- the stake of an open wager is the player's own, whoever holds it
        case when due.outcome = 'open' then 0 else seen.returned_gap end as returned_gap,
        round.status,
        round.recorded_status,
        round.currency,
        coalesce(wager.chips_table <> due.table_id, false) as foreign_chips,
        list_concat(
            case when wager.event_id is null then [] else [wager.event_id] end, seen.evidence
        ) as evidence
    from differing as seen
    join dues as due using (table_id, round_id, wager_id)
    join rounds as round using (table_id, round_id)
    left join (from wagers semi join differing using (table_id, round_id, wager_id)) as wager
        using (table_id, round_id, wager_id)
    -- Where two wagers share an id nobody can say which of them a payment belongs to.
    where not exists (
        from flags as flag
        where flag.table_id = due.table_id
            and flag.round_id = due.round_id
            and flag.subject = due.wager_id
            and flag.code = 'WAGER_ID_REPEATED'
    )
),
weighed as (
    select *, case when net_gap <> 0 then net_gap else returned_gap end as gap
    from compared
)
select
    case
        when status = 'free_hand' then 'free hand'
        when status in ('void', 'unsettled') then 'void round'
        when list_contains(flags, 'BELOW_MIN_REPEAT') and (seen_paid > 0 or seen_collected > 0)
            then 'below minimum'
        when list_has_any(flags, ['OVER_MAX', 'OVER_ANTE_MULTIPLE']) then 'over maximum'
        when list_has_any(flags, ['PRO_RATA', 'PRO_RATA_EXEMPT']) then 'pro rata'
        when reserve_gap <> 0 then 'reserve'
        when outcome in ('push', 'half_loss') then 'stand-off'
        when foreign_chips then 'other table''s chips'
        when outcome = 'win'
            and commission_gap <> 0
            and collected_gap = 0
            and (seen_paid + seen_commission = gross_win or paid_gap = 0)
            then 'commission'
        else 'plain'
    end as kind,
    table_id,
    gaming_day,
    round_id,
    wager_id,
    bet || ' ' || money(stake, currency)
        || case
            when outcome = 'win' then ' wins at ' || odds || ' to 1'
            when outcome = 'lose' then ' loses'
            when outcome = 'push' then ' is a stand-off'
            when outcome = 'open' then ' stays open'
            else ' is ' || replace(outcome, '_', ' ')
        end
        || ': ' || money(paid, currency) || ' paid, '
        || money(commission, currency) || ' commission, '
        || money(collected, currency) || ' collected, '
        || of_reserve(reserve_taken, reserve_taken, seen_reserve, currency)
        || money(returned, currency) || ' returned' as expected,
    money(seen_paid, currency) || ' paid, '
        || money(seen_commission, currency) || ' commission, '
        || money(seen_collected, currency) || ' collected, '
        || of_reserve(seen_reserve, reserve_taken, seen_reserve, currency)
        || money(seen_returned, currency) || ' returned' as found,
    status,
    outcome,
    paid_gap,
    commission_gap,
    reserve_gap,
    clauses,
    evidence,
    greatest(gap, 0) as house_minor,
    greatest(-gap, 0) as player_minor,
    outcome = 'open'
        and coalesce(recorded_status, '') = 'void'
        and net_gap = 0
        and seen_commission = 0
        and seen_returned = stake as called_off
from weighed;

-- Rounds in which a card lay or was drawn.
create or replace temp view rounds_with_cards as
select distinct table_id, round_id
from cards;

-- Where and when a round was first called off: no spin, or void.
--     seq: place of that call
create or replace temp view called_off as
select table_id, round_id, min(seq) as seq
-- each type for itself: for a list of them the round of every event would be read
from (
    from events where type = 'NoSpinCalled'
    union all
    from events where type = 'RoundVoided'
)
group by table_id, round_id;

-- The events by which wagers were changed or taken back.
create or replace temp view wager_changes as
from events where type = 'WagerChanged'
union all
from events where type = 'WagerWithdrawn';

-- Sensor readings of wagers whose chips were not always the same, beside the reading before.
--     amount_before: what lay there at the reading before; null for the first
--     change_before: the change that the reading before gave; null for the first
create or replace temp view moving_stakes as
with
-- a hash that two wagers share only widens it
moving as (
    select hash(table_id, round_id, wager_id) as wager_hash
    from stake_readings
    group by wager_hash
    having min(amount) <> max(amount) or bool_or(change <> 0)
)
select
    *,
    lag(amount) over reading_order as amount_before,
    lag(change) over reading_order as change_before
from stake_readings
where hash(table_id, round_id, wager_id) in (from moving)
window reading_order as (partition by table_id, round_id, wager_id order by seq, event_id);

-- Changes of a stake after betting on it had ended, while the chips on it still were the wager.
-- The table's order decides; clocks clear a reading that only came in late, and convict one
-- whose time lies after the end beyond both error bounds. A sensor that gives no change is read by
-- the amounts. One whose change is not what its amounts show contradicts itself and convicts nobody.
--     by_amounts: the change by this amount and the one before; what lay there before is nothing
--         where no amount is
--     contradicted: whether the change that the sensor gives cannot be by its amounts
--     placed_late: whether the wager itself was placed late
--     certain: whether its clock places it after the end, beyond both error bounds, and the sensor
--         does not contradict itself
-- trigger: late stake change
create or replace temp view late_readings as
with
sensed as (
    select
        * exclude (amount_before, change_before)
            replace (coalesce(nullif(change, 0), amount - amount_before, 0) as change),
        amount - coalesce(amount_before, 0) as by_amounts,
        coalesce(
            nullif(change, 0) <> amount - coalesce(amount_before, greatest(amount - change, 0)),
            false
        ) as contradicted
    from moving_stakes
),
watched as (
    select
        reading.*,
        round.countdown,
        round.currency,
        coalesce(wager.betting_ended_seq, round.betting_ended_seq) as betting_ended_seq,
        coalesce(wager.betting_ended_at, round.betting_ended_at) as betting_ended_at,
        coalesce(wager.betting_ended_err_ms, round.betting_ended_err_ms) as betting_ended_err_ms,
        coalesce(nullif(wager.betting_ended_by, ''), round.betting_ended_by) as betting_ended_by,
        coalesce(wager.late, false) as placed_late,
        coalesce(wager.withdrawn, false) as withdrawn
    from sensed as reading
    join rounds as round using (table_id, round_id)
    left join wagers as wager using (table_id, round_id, wager_id)
    left join settlements as seen using (table_id, round_id, wager_id)
    left join called_off as call using (table_id, round_id)
    where reading.change <> 0
        and reading.seq < coalesce(seen.first_seq, reading.seq + 1)
        and reading.seq < coalesce(call.seq, reading.seq + 1)
)
select
    * exclude (beyond_bounds),
    beyond_bounds and not contradicted as certain
from (
    select
        *,
        earliest(seen_at, err_ms) > latest(betting_ended_at, betting_ended_err_ms) as beyond_bounds
    from watched
)
where betting_ended_seq is not null
    and (
        beyond_bounds
        or (
            seq > betting_ended_seq
            and latest(seen_at, err_ms) >= earliest(betting_ended_at, betting_ended_err_ms)
        )
    );

-- The same amount gone from one place and come to another after betting had ended.
--     from_wager: the wager it left
--     to_wager: the wager it came to
--     amount: how much
--     certain: whether both clocks place it after the end, beyond their error bounds
--     fall_id: the reading that shows it gone
--     rise_id: the reading that shows it come
-- trigger: late stake change
create or replace temp view stake_moves as
with
ranked as (
    select
        *,
        row_number() over (
            partition by table_id, round_id, change order by seq, event_id
        ) as n
    from late_readings
)
select
    fall.table_id,
    fall.gaming_day,
    fall.round_id,
    fall.currency,
    fall.betting_ended_at,
    fall.betting_ended_by,
    fall.wager_id as from_wager,
    rise.wager_id as to_wager,
    rise.change as amount,
    rise.seen_at,
    fall.certain and rise.certain as certain,
    fall.event_id as fall_id,
    rise.event_id as rise_id
from ranked as fall
join ranked as rise
    on rise.table_id = fall.table_id
    and rise.round_id = fall.round_id
    and rise.change = -fall.change
    and rise.n = fall.n
where fall.change < 0
    and rise.wager_id <> fall.wager_id;

-- Card places, dice and tokens where a second witness differs from the device.
--     place: hand and card, or shake
--     witness: who differs: camera, dealer, or shoe where it never gave the card
--     device: what the device read
--     other: what the other witness says
-- trigger: witnesses differ
create or replace temp view disagreements as
select
    table_id,
    round_id,
    hand || ' card ' || slot as place,
    witness,
    case witness
        when 'camera' then shoe_card
        when 'dealer' then coalesce(shoe_card, camera_card)
        else 'nothing'
    end as device,
    case witness when 'dealer' then dealer_card else camera_card end as other,
    evidence
from (
    select *, unnest(differing) as witness
    from cards
    where len(differing) > 0
)
union all
select
    shake.table_id,
    shake.round_id,
    'shake ' || shake.n,
    'camera',
    shake.faces,
    shake.camera_faces,
    coalesce(
        (
            select list(event.event_id order by event.seq)
            from events as event
            where event.table_id = shake.table_id
                and event.round_id = shake.round_id
                and event.type in (
                    'ShakerOpened', 'DiceObserved', 'TokensRevealed', 'TokensObserved'
                )
        ),
        []
    )
from shakes as shake
where len(shake.differing) > 0;

-- The terms that stood when each round was opened.
create or replace temp view terms_in_force as
select round.table_id, round.gaming_day, round.round_id, posted.seq, posted.differential
from rounds as round
asof join terms as posted
    on posted.table_id = round.table_id
    and posted.gaming_day is not distinct from round.gaming_day
    and posted.seq <= round.opened_seq;

-- The limit sign over each wager: that of its own position, else that of its kind.
create or replace temp view limits_in_force as
select
    wager.table_id,
    wager.gaming_day,
    wager.round_id,
    wager.wager_id,
    wager.stake,
    coalesce(own.minimum, kin.minimum) as minimum,
    coalesce(own.maximum, kin.maximum) as maximum
from wagers as wager
join terms_in_force as posted using (table_id, round_id)
left join limits as own
    on own.table_id = posted.table_id
    and own.seq = posted.seq
    and own.bet = wager.bet
left join limits as kin
    on kin.table_id = posted.table_id
    and kin.seq = posted.seq
    and kin.bet = wager.kind;

-- The limit sign over those wagers that it may speak against: above the maximum, or flagged.
create or replace temp view limits_at_issue as
select sign.*
from limits_in_force as sign
where sign.stake > sign.maximum
    or (sign.table_id, sign.round_id, sign.wager_id) in (
        select (table_id, round_id, wager_id)
        from dues
        where list_has_any(flags, ['BELOW_MIN', 'OVER_MAX'])
        union all
        select (table_id, round_id, subject)
        from flags
        where code = 'OFF_LIMITS'
    );

-- One row a wager: what was staked, what is due, what was seen, and what it brings on the long run.
-- Amounts are the player's: won is positive, lost negative. Where two wagers of a round share an id
-- nobody can say which due or payment is whose, and those columns are null.
--     due_net: what the rules give the player; null where nothing is due yet
--     unruled_net: the same had nobody ruled; null where the round has no ruling
--     seen_net: what the player was seen to get; null where nothing was seen
--     return_numerator: of what one unit brings back, exactly; null where return_note says why
--     return_denominator: of the same
--     decided: whether the result of the round decided it; not where that is unknown, nor where
--         the stake went back, was refused or stays open: nothing there is held against the return
--     expected_net: what such a wager brings on the long run, by the part of the stake that was in
--         action; null where nothing was decided, or no return is known
--     return_note: what the return was counted over, or why there is none
create or replace temp view wager_results as
with
owed as (
    select
        table_id,
        round_id,
        wager_id,
        outcome,
        paid - collected - coalesce(reserve_taken, 0) as net,
        odds_source <> '' as decided,
        split_part(action, '/', 1)::double
            / coalesce(nullif(split_part(action, '/', 2), '')::double, 1) as in_action
    from dues
    qualify count(*) over (partition by table_id, round_id, wager_id) = 1
),
unruled as (
    select
        table_id,
        round_id,
        wager_id,
        paid - collected - coalesce(reserve_taken, 0) as net
    from unruled_dues
    qualify count(*) over (partition by table_id, round_id, wager_id) = 1
),
placed as (
    select *, count(*) over (partition by table_id, round_id, wager_id) as shared
    from wagers
)
select
    round.gaming_day,
    wager.table_id,
    wager.round_id,
    wager.wager_id,
    round.game,
    round.edition,
    round.paytable,
    round.currency,
    round.dealer_id,
    wager.player_id,
    wager.box,
    wager.bet,
    wager.kind,
    wager.stake,
    wager.late,
    wager.late_changes,
    due.outcome,
    due.net as due_net,
    unruled.net as unruled_net,
    case
        when wager.shared = 1 then seen.paid - seen.collected - seen.reserve_taken
    end as seen_net,
    coalesce(own.numerator, kin.numerator) as return_numerator,
    coalesce(own.denominator, kin.denominator) as return_denominator,
    coalesce(due.decided, false) as decided,
    case
        when decided
            then due.in_action * (return_numerator - return_denominator)::double
                / return_denominator
    end as expected_net,
    coalesce(own.note, kin.note, 'no return of this bet was counted') as return_note
from placed as wager
join rounds as round using (table_id, round_id)
left join owed as due using (table_id, round_id, wager_id)
left join unruled using (table_id, round_id, wager_id)
left join settlements as seen using (table_id, round_id, wager_id)
left join returns as own
    on own.game = round.game
    and own.edition = round.edition
    and own.paytable = round.paytable
    and own.bet = wager.bet
left join returns as kin
    on kin.game = round.game
    and kin.edition = round.edition
    and kin.paytable = round.paytable
    and kin.bet = wager.kind
    and wager.kind <> wager.bet;

-- Counts of the tray that differ from the count before it and what was collected and paid meanwhile,
-- in the table's order and by the devices' own times.
--     amount_before: what the count before it found
--     seq_before: place of that count
--     event_before: that count
--     counted_before: device time of that count
--     taken: what was collected between the two
--     paid: what was paid between the two
--     gap: what the tray holds beyond what it should, in the table's order; below zero where short
--     gap_by_time: the same by the devices' own times
--     only_round: the round between the two counts, where there is only one
--     rounds: how many rounds were played between them
--     unfinished: whether the last of them was not closed by the count
create or replace temp view tray_gaps as
with
spans as (
    select
        *,
        lag(amount) over day_order as amount_before,
        lag(seq) over day_order as seq_before,
        lag(event_id) over day_order as event_before,
        lag(counted_at) over day_order as counted_before
    from tray_counts
    window day_order as (partition by table_id, gaming_day order by seq)
),
moved as (
    select
        span.event_id,
        coalesce(sum(payment.collected + payment.reserve_taken), 0) as taken,
        coalesce(sum(payment.paid), 0) as paid
    from spans as span
    left join payments as payment
        on payment.table_id = span.table_id
        and payment.seq > span.seq_before
        and payment.seq < span.seq
    group by span.event_id
),
gaps as (
    select
        span.*,
        move.taken,
        move.paid,
        span.amount - span.amount_before - (move.taken - move.paid) as gap
    from spans as span
    join moved as move using (event_id)
    where span.seq_before is not null
        and gap <> 0
),
-- the same by the devices' own times, for payments that only came in after a count or before it
moved_by_time as (
    select
        span.event_id,
        coalesce(
            sum(payment.collected + payment.reserve_taken - payment.paid), 0
        )::bigint as net
    from gaps as span
    left join payments as payment
        on payment.table_id = span.table_id
        and (payment.paid_at, payment.seq) > (span.counted_before, span.seq_before)
        and (payment.paid_at, payment.seq) < (span.counted_at, span.seq)
    group by span.event_id
),
played as (
    select
        span.event_id,
        count(distinct round.round_id) as rounds,
        min(round.round_id) as round_id,
        any_value(round.currency order by round.opened_seq) as currency,
        coalesce(
            arg_max(coalesce(round.ended_seq, span.seq) >= span.seq, round.opened_seq), false
        ) as unfinished  -- the last of them is not closed by the count
    from gaps as span
    left join rounds as round
        on round.table_id = span.table_id
        and round.gaming_day is not distinct from span.gaming_day
        and round.opened_seq < span.seq
        and coalesce(round.ended_seq, span.seq) > span.seq_before
    group by span.event_id
),
balances as (
    select
        span.*,
        span.amount - span.amount_before - by_time.net as gap_by_time,
        case when play.rounds = 1 then play.round_id end as only_round,
        play.rounds,
        play.currency,
        play.unfinished
    from gaps as span
    join moved_by_time as by_time using (event_id)
    join played as play using (event_id)
)
select *
from balances
where gap_by_time <> 0;

-- The rounds of each shoe, in the order in which they were opened.
--     shoe_id: the shoe; empty where the table named none
--     dealer_id: dealer on duty
--     seen_seq: place of the round's first event
--     table_number: number of the table, from 1
--     shoe: number of the shoe at its table, from 1 over all tables
--     turn: number of the round, from 1 over all shoes
create or replace temp view shoe_rounds as
select
    table_id,
    round_id,
    gaming_day,
    coalesce(shoe_id, '') as shoe_id,
    dealer_id,
    opened_seq as seen_seq,
    dense_rank() over (order by table_id) as table_number,
    dense_rank() over (order by table_id, coalesce(shoe_id, '')) as shoe,
    row_number() over (order by table_id, coalesce(shoe_id, ''), gaming_day, opened_seq, round_id) as turn
from rounds;

-- The cards that a shoe read, in the order in which they left it, by number: there are many, and
-- whoever looks for an order among them needs no names.
--     table_number: number of the table in shoe_rounds
--     shoe: number of the shoe in shoe_rounds
--     turn: number of the round in shoe_rounds
--     n: number of the card in its shoe, from 1
--     card: what the shoe read
--     card_before: what the shoe read of the card before; null for its first
--     position_before: place of the card before; null for its first
--     begins: whether it begins a new filling of the shoe: its place is not beyond the one before
create or replace temp view shoe_cards as
select
    round.table_number,
    round.shoe,
    round.turn,
    row_number() over leaving as n,
    card.hand,
    card.slot,
    card.position,
    card.shoe_card as card,
    lag(card.shoe_card) over leaving as card_before,
    lag(card.position) over leaving as position_before,
    coalesce(card.position <= position_before, true) as begins
from cards as card
join shoe_rounds as round using (table_id, round_id)
where card.position > 0
    and card.shoe_card is not null
window leaving as (
    -- round and place as one number: sorting goes by it alone
    partition by round.shoe order by round.turn * 4294967296 + card.position, card.hand, card.slot
);

-- The cards that a shoe read, in the order in which they left it.
--     card: what the shoe read
--     filling: number of the shoe's filling; a place that is not beyond the one before begins a new one
create or replace temp view shoe_order as
select
    round.table_id,
    round.round_id,
    round.gaming_day,
    round.shoe_id,
    round.dealer_id,
    round.seen_seq,
    card.position,
    card.card,
    place.evidence,
    count(*) filter (where card.begins) over (partition by card.shoe order by card.n) as filling
from shoe_cards as card
join shoe_rounds as round using (turn)
join cards as place
    on place.table_id = round.table_id
    and place.round_id = round.round_id
    and place.position = card.position
    and place.shoe_card = card.card
    and place.hand is not distinct from card.hand
    and place.slot is not distinct from card.slot;

-- What wheels, dice and tokens showed in rounds that the rules settle, one row a round.
--     device: wheel, dice or tokens
--     result: the pocket, or the faces joined by hyphens
--     seen_seq: place of the round's first event
--     dealer_id: dealer on duty
create or replace temp view chance_results as
select
    round.table_id,
    round.round_id,
    round.gaming_day,
    round.opened_seq as seen_seq,
    round.dealer_id,
    'wheel' as device,
    spin.pocket::varchar as result
from spins as spin
join rounds as round using (table_id, round_id)
where spin.pocket is not null
    and round.status = 'settled'
union all by name
select
    round.table_id,
    round.round_id,
    round.gaming_day,
    round.opened_seq as seen_seq,
    round.dealer_id,
    case when regexp_full_match(shake.faces, '[RW](-[RW])*') then 'tokens' else 'dice' end as device,
    shake.faces as result
from shakes as shake
join rounds as round using (table_id, round_id)
where shake.faces is not null
    and round.status = 'settled'
qualify row_number() over (partition by shake.table_id, shake.round_id order by shake.n desc) = 1;

-- The first and the last reading of a table's wheel, dice or tokens.
--     reader: wheel or shaker
--     evidence: ids of both
create or replace temp view chance_readings as
select
    table_id,
    case type when 'BallLanded' then 'wheel' else 'shaker' end as reader,
    list_sort(
        list_distinct([arg_min(event_id, (gaming_day, seq)), arg_max(event_id, (gaming_day, seq))])
    ) as evidence
from events
where type in ('BallLanded', 'ShakerOpened')
group by all;
