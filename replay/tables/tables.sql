-- The auditor's dictionary: what a replay leaves behind, one table a subject.
--
-- Money is whole minor units of the round's currency. Times are UTC. A column that ends in _seq is
-- a place in the table's own order, which decides before and after; times explain, and order only
-- what came late. The text behind each column is shown by `describe` and in docs/tables.md.
--
-- A column `in words` is English, made from a sentence and its values when the row comes into SQL; the derived
-- files do not have it (docs/words.md).

-- Every event of the log, in the table's order. What it says is in the log alone (`roundproof explain`,
-- `roundproof findings show`); the tables below have it by subject.
create table events (
    event_id    varchar,    -- table, device and device sequence, joined by slashes
    table_id    varchar,    -- the table
    gaming_day  date,       -- the gaming day; null where the table's opening was not seen
    seq         bigint,     -- place in the table's order, from 0; a reading that its device's numbers or clock put back shares that of its neighbour or moves it on
    arrived     bigint,     -- place in the order of arrival, its offset in the table's log
    type        varchar,    -- the payload's type, such as WagerPlaced
    device_kind varchar,    -- kind of device
    device_id   varchar,    -- the device
    device_seq  bigint,     -- the device's own sequence number
    round_id    varchar,    -- the round the replay counts it to; null outside rounds
    occurred_at timestamp,  -- device time, untouched
    err_ms      integer,    -- error bound of the device time, milliseconds either way
    ingested_at timestamp,  -- when the gateway took it
    schema      varchar,    -- fingerprint of the schema it was written with
    wager_id    varchar,    -- the wager that it names; null where it names none
    disturbance varchar     -- how a camera's view or a spin was disturbed; null where nothing was
);

-- One row a round, as derived and as recorded.
create table rounds (
    round_id          varchar,    -- the round
    table_id          varchar,    -- the table
    gaming_day        date,       -- the gaming day; null where the table's opening was not seen
    game              varchar,    -- rulebook code; empty where no terms were posted
    edition           varchar,    -- number of the edition it was judged by; empty where none
    paytable          varchar,    -- name of the paytable in force
    currency          varchar,    -- ISO 4217 code
    number            integer,    -- the table's own number of the round; 0 where not counted
    shoe_id           varchar,    -- the shoe of cards; null where the game has none
    dealer_id         varchar,    -- dealer on duty when it opened; null where nobody was
    inspector_id      varchar,    -- dealer inspector on duty; null where nobody was
    opened_seq        bigint,     -- place of its first event
    opened_at         timestamp,  -- device time of its first event
    closed_seq        bigint,     -- place of no more bets; null where never announced
    closed_at         timestamp,  -- device time of no more bets
    closed_err_ms     integer,    -- error bound of that time
    countdown         boolean,    -- whether bets are taken until a countdown is over rather than until a dealer's call
    betting_ended_seq    bigint,     -- place of what ended betting: no more bets, or before it what showed the outcome; null where nothing did
    betting_ended_at     timestamp,  -- device time of it
    betting_ended_err_ms integer,    -- error bound of that time
    betting_ended_by     varchar,    -- what it was, such as no more bets, the first card or the ball at rest; empty where nothing
    early_play_seq       bigint,     -- place of the first card, shake or spin that had to wait for no more bets and did not; null where none
    early_play_at        timestamp,  -- device time of it
    early_play_err_ms    integer,    -- error bound of that time
    first_play_seq    bigint,     -- place of the first card, ball release or shake; a card that opens the betting is none; null where none
    first_play_at     timestamp,  -- device time of it
    first_play_err_ms integer,    -- error bound of that time
    settled_seq       bigint,     -- place of the last settlement; null where none
    settled_at        timestamp,  -- device time of the last settlement
    ended_seq         bigint,     -- place of the round's closing; null where it never closed
    ended_at          timestamp,  -- device time of the round's closing
    recorded_status   varchar,    -- what the table recorded: settled, void, free_hand, unsettled; null where nothing
    status            varchar,    -- what the rules say: settled, void, free_hand, unsettled, unknown
    status_clauses    varchar[],  -- the clauses behind that status
    outcome           varchar,    -- the derived outcome in the game's words; empty where none
    result            varchar,    -- the derived result as one word, comparable with results.said; empty where none
    free_hand_due     boolean,    -- whether the rounds before made this one a free hand
    unknown_because   varchar,    -- in words: what is missing or disagrees where the status is unknown; else empty
    unknown_key       varchar,    -- key of that sentence; empty where there is none
    unknown_params    varchar,    -- values of that sentence by name, as JSON; empty where there is none
    late_events       integer,    -- events that came in after the round was closed, or after what happened later
    changed_by_late   boolean,    -- whether what is due would be another without them, or in the order of arrival
    bounds_doubtful   boolean,    -- whether its opening or closing, or its neighbour's, came in after what happened later: a reading may count to the wrong round
    record_lacks      varchar,    -- what is missing of its record, as far as the rest shows: reading (a device left out a number), card (the shoe passed over a place), sight (the table acted on what no reading tells), wager (one was settled that nobody entered), before (the round before lacks something or has doubtful bounds, and left what this one goes by); else empty
    digest            varchar     -- SHA-256 over everything derived for the round
);

-- Every wager as it stood when betting on it ended; those taken back in time are not here.
create table wagers (
    wager_id       varchar,    -- the wager
    round_id       varchar,    -- its round
    table_id       varchar,    -- its table
    gaming_day     date,       -- its gaming day; null where the table's opening was not seen
    player_id      varchar,    -- pseudonym of the player
    box            varchar,    -- betting box or seat; empty where the layout has none
    bet            varchar,    -- the bet or position
    kind           varchar,    -- the bet without its position: split of split:17-20
    stake          bigint,     -- chips on it when betting on it ended
    placed_seq     bigint,     -- place of its placing
    placed_at      timestamp,  -- device time of its placing
    placed_err_ms  integer,    -- error bound of that time
    betting_ended_seq    bigint,    -- place of what ended betting on it; a bet that is taken later has its own end; null where nothing did
    betting_ended_at     timestamp, -- device time of it
    betting_ended_err_ms integer,   -- error bound of that time
    betting_ended_by     varchar,   -- what it was, in the words of the round; empty where nothing
    late           boolean,    -- whether it was placed after betting on it had ended; null where no rulebook fits, as nobody knows then when it ended
    late_changes   integer,    -- how often it was changed after that, as entered or as a sensor saw its stake change
    withdrawn      boolean,    -- whether it was taken back after that
    chips_table    varchar,    -- table that issued its colour chips; null for chips of the house
    event_id       varchar     -- the event that placed it
);

-- Sensor readings of the chips on a wager's place.
create table stake_readings (
    event_id   varchar,    -- the reading
    round_id   varchar,    -- the round
    table_id   varchar,    -- the table
    gaming_day date,       -- its gaming day; null where the table's opening was not seen
    wager_id   varchar,    -- the wager
    seq        bigint,     -- place in the table's order
    seen_at    timestamp,  -- device time
    err_ms     integer,    -- error bound of that time
    amount     bigint,     -- what lay there
    change     bigint      -- change since the reading before
);

-- What the rules owe on each wager.
create table dues (
    wager_id         varchar,    -- the wager
    round_id         varchar,    -- its round
    table_id         varchar,    -- its table
    gaming_day       date,       -- its gaming day; null where the table's opening was not seen
    player_id        varchar,    -- pseudonym of the player
    bet              varchar,    -- the bet or position
    stake            bigint,     -- chips on it, with those the rules let a player add
    action           varchar,    -- the exact part of the stake that is settled, as a fraction
    outcome          varchar,    -- win, lose, push, returned, refused, void, open, win_refused, stands
    odds             varchar,    -- odds to one as a fraction; empty where nothing is paid
    gross_win        bigint,     -- winnings before commission
    commission       bigint,     -- commission kept back
    paid             bigint,     -- winnings handed over
    collected        bigint,     -- taken from the stake
    returned         bigint,     -- stake given back
    reserve_taken    bigint,     -- taken from the reserve
    reserve_returned bigint,     -- reserve given back
    clauses          varchar[],  -- the clauses that made the amounts
    flags            varchar[],  -- audit codes of this line
    odds_source      varchar     -- where the odds come from: printed, forced, published, assumed; empty without odds
);

-- What the rules would owe on each wager of a round with rulings, had nobody ruled.
create table unruled_dues (
    wager_id         varchar,    -- the wager
    round_id         varchar,    -- its round
    table_id         varchar,    -- its table
    gaming_day       date,       -- the gaming day; null where the table's opening was not seen
    status           varchar,    -- what the rules would say of the round
    outcome          varchar,    -- as in dues
    paid             bigint,     -- winnings handed over
    commission       bigint,     -- commission kept back
    collected        bigint,     -- taken from the stake
    returned         bigint,     -- stake given back
    reserve_taken    bigint,     -- taken from the reserve
    reserve_returned bigint      -- reserve given back
);

-- What was seen to be paid, collected and given back.
create table payments (
    event_id      varchar,    -- the settling event
    wager_id      varchar,    -- the wager
    round_id      varchar,    -- the round
    table_id      varchar,    -- the table
    gaming_day    date,       -- its gaming day; null where the table's opening was not seen
    seq           bigint,     -- place in the table's order
    paid_at       timestamp,  -- device time
    paid          bigint,     -- winnings handed over
    commission    bigint,     -- commission kept back
    collected     bigint,     -- taken from the stake
    reserve_taken bigint,     -- taken from the reserve
    returned      bigint      -- stake and reserve given back
);

-- What was seen on each wager by the time its round was closed, beside what is due: one row for each
-- wager that was settled. Parts add up; a payment that a correction names counts no more once another
-- follows; one that follows the closing, in the table's order and by its own time, does not count. A gap
-- is what was seen less what is due. It is null where nothing is due, and where two wagers share an id.
create table settlements (
    wager_id       varchar,    -- the wager
    round_id       varchar,    -- its round
    table_id       varchar,    -- its table
    gaming_day     date,       -- its gaming day; null where the table's opening was not seen
    first_seq      bigint,     -- place of the first payment
    paid           bigint,     -- winnings handed over
    commission     bigint,     -- commission kept back
    collected      bigint,     -- taken from the stake
    reserve_taken  bigint,     -- taken from the reserve
    returned       bigint,     -- stake and reserve given back
    paid_gap       bigint,     -- winnings beyond those due; below zero where short; null where not comparable
    commission_gap bigint,     -- the same of the commission; null where not comparable
    collected_gap  bigint,     -- the same of what was taken from the stake; null where not comparable
    reserve_gap    bigint,     -- the same of what was taken from the reserve; null where not comparable
    returned_gap   bigint,     -- the same of stake and reserve given back; null where not comparable
    differs        boolean,    -- whether any amount is other than due; null where not comparable
    evidence       varchar[]   -- ids of the payments
);

-- Audit codes of the game's specification, for a round or for what it concerns.
create table flags (
    round_id varchar,  -- the round
    table_id varchar,  -- the table
    game     varchar,  -- rulebook code
    code     varchar,  -- the code, such as WRONG_CALL
    clause   varchar,  -- the clause behind it; may be empty
    subject  varchar,  -- wager, clause or reading it concerns; empty for the round
    note     varchar,  -- in words: more about it; may be empty
    key      varchar,  -- key of that sentence; empty where there is none
    params   varchar   -- values of that sentence by name, as JSON; empty where there is none
);

-- The derivation, step by step, of rounds that somebody will look at: flagged or doubted, not settled, settled
-- otherwise than due, or with a ruling, a report or a correction. `roundproof explain` derives the steps of any round.
create table steps (
    round_id varchar,    -- the round
    table_id varchar,    -- the table
    game     varchar,    -- rulebook code; empty where no terms were posted
    wager_id varchar,    -- the wager; empty for a step of the whole round
    n        integer,    -- number of the step in its round, from 1
    text     varchar,    -- in words: the step as a sentence
    key      varchar,    -- key of that sentence
    params   varchar,    -- values of that sentence by name, as JSON
    clauses  varchar[],  -- the clauses it rests on
    evidence varchar[]   -- ids of the events it was read from
);

-- Each card place as every witness saw it.
create table cards (
    round_id           varchar,    -- the round
    table_id           varchar,    -- the table
    hand               varchar,    -- the hand
    slot               integer,    -- place in the hand, from 1
    position           integer,    -- place in the shoe; 0 where the shoe never gave it
    card               varchar,    -- the card all witnesses agree on; null where unknown
    shoe_card          varchar,    -- what the shoe read; null where nothing
    camera_card        varchar,    -- the camera's best guess; null where nothing
    camera_probability double,     -- how sure the camera is, 0 to 1
    dealer_card        varchar,    -- what the dealer's console recorded; null where nothing
    exposed            boolean,    -- whether its face was seen
    evidence           varchar[],  -- ids of the readings
    differing          varchar[]   -- witnesses that differ from the device: camera, dealer, or shoe where it never gave the card
);

-- Card places where witnesses differ, could not read, or agree on what cannot be, and how likely each
-- explanation is. No due rests on it.
create table doubts (
    round_id     varchar,    -- the round
    table_id     varchar,    -- the table
    hand         varchar,    -- the hand
    slot         integer,    -- place in the hand, from 1
    kind         varchar,    -- differ, unread, impossible, or stranger: the shoe never gave it
    misread_ppm  integer,    -- that a witness read, counted or missed it wrongly, in millionths
    switched_ppm integer,    -- that another card lies there than left the shoe, in millionths
    foreign_ppm  integer,    -- that the card is none of the decks in use, in millionths
    likely       varchar[],  -- the likeliest cards, best first
    likely_ppm   integer[],  -- how likely each of them is, in millionths
    erring       varchar[],  -- the witnesses that were wrong if it is a misreading
    told         varchar,    -- in words: the explanations, and what the shoe gave or what lies there
    evidence     varchar[]   -- ids of the readings
);

-- What each device read of cards that another witness read too, a table-day: one row for each card
-- and what it was taken for. A reading is held against what two witnesses agree on, or else against the
-- witness that errs least; what came in after the next round was opened is not counted.
create table confusions (
    table_id   varchar,    -- the table
    gaming_day date,       -- the gaming day; null where the table's opening was not seen
    witness    varchar,    -- shoe, camera or dealer
    device_id  varchar,    -- the device
    said       varchar,    -- the card it read
    card       varchar,    -- the card that it was held against
    n          bigint,     -- how often
    wrong_ppb  bigint,     -- how often its kind takes a card for another, in thousand-millionths
    evidence   varchar[]   -- ids of the readings of these places; empty where they agree
);

-- Results as called, shown or entered.
create table results (
    event_id varchar,    -- the event
    round_id varchar,    -- the round
    table_id varchar,    -- the table
    seq      bigint,     -- place in the table's order
    said_at  timestamp,  -- device time
    shown_by varchar,    -- dealer, shoe, board or dolly
    box      varchar,    -- the box or hand it is about; empty for the whole round
    result   varchar,    -- as it was said
    said     varchar     -- the same as one comparable word
);

-- Roulette: one row a round.
create table spins (
    round_id        varchar,    -- the round
    table_id        varchar,    -- the table
    released_at     timestamp,  -- device time of the release; null where not seen
    ball_direction  varchar,    -- clockwise or anticlockwise; null where not seen
    wheel_direction varchar,    -- clockwise or anticlockwise; null where not seen
    revolutions     integer,    -- circuits of the ball; null where not counted
    disturbances    varchar[],  -- what disturbed the spin
    pocket          integer,    -- where the sensor saw the ball rest; null where nowhere
    dolly           integer,    -- number the dealer marked; null where none
    no_spin_rank    varchar,    -- rank of who called no spin; null where nobody did
    no_spin_reason  varchar,    -- the reason given
    no_spin_phase   varchar,    -- when it was called
    previous_pocket integer,    -- last winning pocket before the round; null where unknown
    returned_to     integer,    -- pocket the ball was put back into; null where not seen
    examined_by     varchar     -- rank of who examined the ball; null where nobody did
);

-- Dice and tokens: one row a shake.
create table shakes (
    round_id           varchar,    -- the round
    table_id           varchar,    -- the table
    n                  integer,    -- number of the shake in its round, from 1
    started_seq        bigint,     -- place of its start; null where not seen
    started_at         timestamp,  -- device time of its start
    tumbles            integer,    -- how often the dice tumbled; null where not counted
    flat               boolean,    -- whether every die lay flat and no token stood
    overlap            boolean,    -- whether dice or tokens lay on one another
    faces              varchar,    -- faces the sensor read, joined by hyphens; null where none
    camera_faces       varchar,    -- the camera's best guess; null where none
    camera_probability double,     -- how sure the camera is, 0 to 1
    differing          varchar[]   -- witnesses that differ from the sensor: camera
);

-- Irregularities as reported.
create table irregularities (
    event_id    varchar,    -- the report
    round_id    varchar,    -- the round; null between rounds
    table_id    varchar,    -- the table
    seq         bigint,     -- place in the table's order
    reported_at timestamp,  -- device time
    kind        varchar,    -- what was reported
    clause      varchar,    -- the clause the reporter named; may be empty
    subject     varchar,    -- what it concerns; may be empty
    note        varchar     -- what the reporter wrote; may be empty
);

-- Rulings as made.
create table rulings (
    event_id  varchar,    -- the ruling
    round_id  varchar,    -- the round; null between rounds
    table_id  varchar,    -- the table
    seq       bigint,     -- place in the table's order
    made_at   timestamp,  -- device time
    clause    varchar,    -- the clause it applies
    decision  varchar,    -- the decision
    rank      varchar,    -- rank of the person
    person_id varchar,    -- pseudonym of the person; may be empty
    subject   varchar,    -- what it concerns; may be empty
    value     varchar     -- what was ruled where a word is not enough; may be empty
);

-- Terms as posted.
create table terms (
    event_id     varchar,    -- the posting
    table_id     varchar,    -- the table
    gaming_day   date,       -- the gaming day; null where the table's opening was not seen
    seq          bigint,     -- in force from this place in the table's order
    posted_at    timestamp,  -- device time
    round_id     varchar,    -- the round that was open then; null where none was
    game         varchar,    -- rulebook code
    edition      varchar,    -- edition as posted; may be empty
    paytable     varchar,    -- paytable as posted; may be empty
    currency     varchar,    -- ISO 4217 code
    differential bigint,     -- largest difference of the two main bets; null where none
    decks        integer     -- decks as posted; 0 where not
);

-- The limit sign, one row a bet and posting.
create table limits (
    table_id   varchar,  -- the table
    gaming_day date,     -- the gaming day; null where the table's opening was not seen
    seq        bigint,   -- in force from this place in the table's order
    bet        varchar,  -- the bet or kind of bet
    minimum    bigint,   -- smallest stake
    maximum    bigint    -- largest stake
);

-- Shoes of cards.
create table shoes (
    shoe_id    varchar,    -- the shoe of cards
    table_id   varchar,    -- the table
    gaming_day date,       -- the gaming day; null where the table's opening was not seen
    loaded_seq bigint,     -- place of its loading
    loaded_at  timestamp,  -- device time of its loading
    decks      integer,    -- decks loaded
    shuffled   boolean,    -- whether it was shuffled before
    burn_card  varchar,    -- card turned over for the burn; null where none
    burn_count integer,    -- cards burned after it; null where no burn was seen
    burn_seq   bigint,     -- place of the burn; null where no burn was seen
    removed    varchar,    -- why it was taken out; null where it was not
    removed_seq bigint,    -- place of its removal; null where it was not
    cards_left integer     -- cards counted inside it then; null where nobody counted
);

-- Reports of devices that they are alive.
create table beats (
    event_id    varchar,    -- the beat
    table_id    varchar,    -- the table
    gaming_day  date,       -- the gaming day; null where the table's opening was not seen
    device_id   varchar,    -- the device
    device_kind varchar,    -- kind of device
    seq         bigint,     -- place in the table's order
    seen_at     timestamp,  -- device time
    interval_s  integer,    -- seconds until the next one was due
    offset_ms   integer,    -- how far its clock was ahead, milliseconds
    state       varchar     -- its own word for its state
);

-- What the gateway noticed about readings.
create table alarms (
    event_id   varchar,    -- the alarm
    table_id   varchar,    -- the table
    gaming_day date,       -- the gaming day; null where the table's opening was not seen
    round_id   varchar,    -- the round open then; null where none was
    seq        bigint,     -- place in the table's order
    raised_at  timestamp,  -- when the gateway raised it
    kind       varchar,    -- GapFound, TwinConflicted, LateArrived or ClockStepped
    device_id  varchar,    -- the device it is about
    subject    varchar,    -- the event id it is about; empty for a gap
    expected   bigint,     -- device sequence that was due; null where it does not apply
    found      bigint      -- device sequence that came, or milliseconds stepped back
);

-- Numbers of events that are beyond what they can be (docs/readings.md). They came before the doors
-- refused them. A wager with such an amount is unknown; other numbers count as the largest there is.
create table excesses (
    event_id   varchar,  -- the event
    table_id   varchar,  -- the table
    gaming_day date,     -- the gaming day; null where the table's opening was not seen
    round_id   varchar,  -- the round it counts to; null between rounds
    seq        bigint,   -- place in the table's order
    field      varchar,  -- the kind of event and the field, such as WagerPlaced.stake
    bound      varchar,  -- what was expected there
    found      varchar   -- what stands there
);

-- Corrections of the record.
create table corrections (
    event_id     varchar,    -- the correction
    table_id     varchar,    -- the table
    round_id     varchar,    -- the round; null between rounds
    corrected_id varchar,    -- the event it corrects
    author       varchar,    -- pseudonym of the person
    rank         varchar,    -- rank of the person
    reason       varchar,    -- the reason given
    claimed_at   timestamp,  -- when the person says it happened; null where not said
    ingested_at  timestamp   -- when the gateway took it
);

-- Counts of the chip tray.
create table tray_counts (
    event_id   varchar,    -- the count
    table_id   varchar,    -- the table
    gaming_day date,       -- the gaming day; null where the table's opening was not seen
    round_id   varchar,    -- the round open then; null where none was
    seq        bigint,     -- place in the table's order
    counted_at timestamp,  -- device time
    amount     bigint      -- value of the chips in the tray
);

-- Devices that were put on a table or taken to another, as entered.
create table device_moves (
    event_id   varchar,    -- the entry
    table_id   varchar,    -- the table where it was entered
    gaming_day date,       -- the gaming day; null where the table's opening was not seen
    seq        bigint,     -- place in the table's order
    moved_at   timestamp,  -- device time
    err_ms     integer,    -- error bound of that time
    device_id  varchar,    -- the device that was moved
    to_table   varchar     -- where it was moved to
);

-- One row a table and gaming day.
create table table_days (
    table_id   varchar,    -- the table
    gaming_day date,       -- the gaming day; null where the table's opening was not seen
    opened_at  timestamp,  -- device time of the opening; null where not seen
    closed_at  timestamp,  -- device time of the closing; null where not seen
    events     bigint,     -- events of the day
    rounds     bigint,     -- rounds of the day
    digest     varchar,    -- SHA-256 over everything derived for the day; empty where nothing was
    failed     varchar     -- why nothing could be derived of the day; null where it was
);

-- The text of every clause of the editions on file.
create table clauses (
    anchor  varchar,  -- the anchor, such as TB:4.15
    code    varchar,  -- rulebook code
    edition varchar,  -- number of the edition
    text    varchar,  -- the clause, word for word
    sha256  varchar   -- SHA-256 of the text, hex
);

-- What one unit staked on each bet of the editions on file brings back on the long run, counted exactly.
create table returns (
    game        varchar,  -- rulebook code
    edition     varchar,  -- number of the edition
    paytable    varchar,  -- name of the paytable
    bet         varchar,  -- the bet or position
    numerator   bigint,   -- of the exact return; null where it depends on how the player plays
    denominator bigint,   -- of the exact return; null where it depends on how the player plays
    note        varchar   -- what it was counted over, or why there is no one figure
);
