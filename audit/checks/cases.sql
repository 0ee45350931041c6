-- Disputes, one row each, made of the log's stream `cases` by the last replay or detect.
create table cases (
    case_id          varchar,    -- the case
    table_id         varchar,    -- the table of the round in dispute
    round_id         varchar,    -- the round in dispute
    gaming_day       date,       -- its gaming day; null where the table's opening was not seen
    player_id        varchar,    -- pseudonym of the player; empty where the house raised it
    amount_minor     bigint,     -- what is claimed, minor units; 0 where no amount was named
    currency         varchar,    -- ISO 4217 code; null where no terms were posted
    jurisdiction     varchar,    -- whose duties of notice and retention apply
    stage            varchar,    -- raised, answered, escalated, decided, confirmed, settled, told, complained, set_aside or closed
    raised_at        timestamp,  -- when it was raised
    escalated_at     timestamp,  -- when it was first escalated; null where it was not
    inform_due_at    timestamp,  -- by when Surveillance is to be informed; null before an escalation
    informed_at      timestamp,  -- when Surveillance was first informed; null where it was not
    promised_at      timestamp,  -- by when the player was promised an answer, the last promise; null where none was made
    decided_at       timestamp,  -- when the decision in force was made; null where none is
    told_at          timestamp,  -- when the player was told of it; null where nobody told them
    agrees           boolean,    -- whether the player agrees; null before they were told
    right_told       boolean,    -- whether they were told of the right to complain; null before they were told
    complaint_due_at timestamp,  -- by when a formal complaint is to be answered; null where no such clock runs
    reviewed_at      timestamp,  -- when Senior Management answered it; null where they did not
    closed_at        timestamp,  -- when the case was closed; null while it is open
    video_held       boolean,    -- whether a hold keeps the footage
    video_expires_at timestamp,  -- when footage of the round may be deleted; null where its time is unknown
    video_warn_at    timestamp,  -- from when that is near; null where its time is unknown
    notice           varchar,    -- the notice that an authority must get; null where none is due
    notice_due_at    timestamp,  -- by when; null where none is due
    notified_at      timestamp,  -- when it was given; null where it was not
    as_of            timestamp   -- the latest time that the log knows; what is overdue is overdue by then
);

-- Steps of disputes.
create table case_steps (
    event_id    varchar,    -- case and number of the step, joined by a slash
    case_id     varchar,    -- the case
    table_id    varchar,    -- the table of the round in dispute
    number      bigint,     -- number of the step in its case, from 1
    step        varchar,    -- the step as the command line names it: open, say, escalate, decide
    clause      varchar,    -- the clause it rests on
    person_id   varchar,    -- pseudonym of the person who took it
    rank        varchar,    -- rank or office of that person
    done_at     timestamp,  -- when it was done, as that person says
    recorded_at timestamp   -- when it was written down
);

-- What people did about findings, one row each time.
create table finding_reviews (
    finding_id  varchar,    -- the finding
    table_id    varchar,    -- its table
    number      bigint,     -- number of the review of this finding, from 1
    verb        varchar,    -- ack, assign, explain, confirm, false, close or reopen
    state       varchar,    -- what the finding was after it: acknowledged, in_review, explained, confirmed, false, closed or new
    person_id   varchar,    -- pseudonym of the person who acted
    rank        varchar,    -- rank or office of that person
    assignee_id varchar,    -- who looks into it from then on; empty where nobody was named
    reason      varchar,    -- the reason; may be empty for ack and assign
    recorded_at timestamp,  -- when it was written down
    round_id    varchar     -- the round of the finding; null where it concerns no single round
);

-- Certified returns of the editions that have a certificate, in hundredths of a per cent.
create table certificates (
    game    varchar,    -- rulebook code
    edition varchar,    -- number of the edition
    lowest  integer,    -- certified return of the lowest bet, 9750 for 97.50 %
    highest integer,    -- certified return of the highest bet
    bets    varchar[]   -- the bets that the certificate covers; null where it covers all
);

-- Filings of rulebook editions with the authority, from the house's own file `filings.toml`.
create table filings (
    game      varchar,  -- rulebook code
    edition   varchar,  -- number of the edition
    filed_on  date,     -- the day it was filed
    authority varchar,  -- with whom
    reference varchar   -- number of the filing
);
