-- What the checks found. A finding keeps its id for as long as the log says the same.
create table findings (
    finding_id   varchar,    -- check and a short hash of check, table, round and subject
    check_id     varchar,    -- the check that found it
    severity     varchar,    -- S1 hold payment now, S2 review soon, S3 daily list, S4 trend
    title        varchar,    -- what the check looks for
    table_id     varchar,    -- the table
    gaming_day   date,       -- the gaming day; null where the check does not know it
    round_id     varchar,    -- the round; null where it concerns no single round
    subject      varchar,    -- wager, card place, device or event it concerns
    certain      boolean,    -- false where clocks or gaps leave room for another explanation
    expected     varchar,    -- what the rules or the record should show
    found        varchar,    -- what they show
    clauses      varchar[],  -- the clauses behind it
    evidence     varchar[],  -- ids of the events it rests on
    house_minor  bigint,     -- money the house may have lost by it, minor units
    player_minor bigint,     -- money the player may have lost by it, minor units
    currency     varchar,    -- ISO 4217 code; null where the table posted none
    state        varchar     -- new, or gone where a later run did not find it any more
);

-- How far the findings of each table are on file: the log's stream `findings` holds at least these.
create table finding_heads (
    table_id varchar,  -- the table
    told     bigint,   -- how many entries its stream had: findings raised and withdrawn
    sha256   varchar   -- SHA-256 of the last of them, hex
);
