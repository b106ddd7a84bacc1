-- Runs with versions from 0023 on.
-- Valuations with their evidence and results, those of visitors, benchmark sets, assets, and portfolios with their holdings.

create table benchmark_sets (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  row_count integer not null,
  -- As they were hashed, which jsonb would not keep.
  rows json not null,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create table valuations (
  workspace_id uuid not null references workspaces,
  -- Ids ascend in the order of creation.
  id text collate "C" not null check (id ~ '^val_[0-9a-f]{32}$'),
  business_id text collate "C" references businesses,
  subject_type text not null check (subject_type in ('business', 'asset', 'portfolio')),
  subject_id text collate "C",
  -- What the caller gave, without run.
  document jsonb not null,
  -- What a list shows of the document, which may have megabytes.
  summary jsonb not null,
  status text not null default 'draft' check (status in ('draft', 'completed')),
  conclusion jsonb,
  supersedes_id text collate "C",
  superseded_by_id text collate "C",
  signature jsonb,
  -- Of a valuation that a visitor had run: the digest of the token, so that its use again is told apart from a wrong one.
  claim_digest bytea,
  claimed_at timestamptz(3),
  created_by uuid references users,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, supersedes_id) references valuations (workspace_id, id),
  foreign key (workspace_id, superseded_by_id) references valuations (workspace_id, id),
  check ((status = 'completed') = (completed_at is not null)),
  check ((status = 'completed') = (conclusion is not null)),
  check (signature is null or status = 'completed')
);
create index valuations_of_business on valuations (workspace_id, business_id, id) where business_id is not null;
-- Of the whole subject, which count for portfolios. The condition is here, so that no document is read for it.
create index valuations_of_subject
  on valuations (workspace_id, subject_id, ((summary ->> 'valuation_date') collate "C"), completed_at, id)
  where subject_id is not null and status = 'completed' and (document -> 'interest' ->> 'percent')::numeric = 100;
create index valuations_in_draft on valuations (workspace_id, id) where status = 'draft';
create index valuations_completed on valuations (workspace_id, id) where status = 'completed';
create index valuations_of_type on valuations (workspace_id, subject_type, id) where subject_type <> 'business';

-- Written once, when a valuation is completed.
create table valuation_results (
  workspace_id uuid not null,
  valuation_id text collate "C" not null,
  -- As they were written, which jsonb would not keep.
  result json not null,
  calculation json not null,
  primary key (workspace_id, valuation_id),
  foreign key (workspace_id, valuation_id) references valuations
);

create table valuation_evidence (
  workspace_id uuid not null,
  valuation_id text collate "C" not null,
  id uuid not null,
  code text not null check (code in ('statements', 'returns', 'cap_table', 'debt_schedule', 'add_back_support', 'comparables', 'signatory')),
  file_id text collate "C" not null,
  file_version_id text collate "C" not null,
  sha256 text collate "C" not null,
  pointer text check (char_length(pointer) between 1 and 500),
  dated_on date not null,
  known_or_knowable boolean not null default false,
  note text check (char_length(note) between 1 and 2000),
  added_by uuid not null references users,
  created_at timestamptz(3) not null,
  primary key (workspace_id, valuation_id, id),
  foreign key (workspace_id, valuation_id) references valuations,
  foreign key (workspace_id, file_id) references files
);

create table assets (
  workspace_id uuid not null references workspaces,
  id text collate "C" not null,
  business_id text collate "C" references businesses,
  class text not null check (class in ('real_property', 'equipment', 'vehicle', 'inventory', 'receivable', 'intangible', 'cash', 'other')),
  cost_amount text not null,
  cost_currency text not null check (cost_currency ~ '^[A-Z]{3}$'),
  acquired_on date not null,
  condition text not null check (condition in ('new', 'good', 'fair', 'poor')),
  description text check (char_length(description) between 1 and 2000),
  created_by uuid not null references users,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index assets_of_business on assets (workspace_id, business_id, id) where business_id is not null;
create index assets_of_class on assets (workspace_id, class, id);

create table portfolios (
  workspace_id uuid not null references workspaces,
  id text collate "C" not null,
  business_id text collate "C" references businesses,
  name text not null check (char_length(name) between 1 and 200),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  holding_count integer not null default 0,
  created_by uuid not null references users,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index portfolios_of_business on portfolios (workspace_id, business_id, id) where business_id is not null;

create table portfolio_holdings (
  workspace_id uuid not null,
  portfolio_id text collate "C" not null,
  key text collate "C" not null check (key ~ '^[a-z0-9_-]{1,64}$'),
  subject_type text not null check (subject_type in ('business', 'asset', 'portfolio')),
  subject_id text collate "C",
  ownership_percent text not null,
  valuation_id text collate "C",
  discount_rate text,
  discount_reason text check (char_length(discount_reason) between 1 and 2000),
  updated_at timestamptz(3) not null,
  primary key (workspace_id, portfolio_id, key),
  foreign key (workspace_id, portfolio_id) references portfolios,
  foreign key (workspace_id, valuation_id) references valuations (workspace_id, id),
  check (subject_id is not null or valuation_id is not null),
  check ((discount_rate is null) = (discount_reason is null))
);
create index portfolio_holdings_of_portfolio on portfolio_holdings (workspace_id, subject_id)
  where subject_type = 'portfolio';

-- Valuations that were run without an account. They belong to no Workspace until one claims them.
create table visitor_valuations (
  id text collate "C" primary key check (id ~ '^val_[0-9a-f]{32}$'),
  -- The HMAC of the request with its Idempotency-Key: the same request again finds its first answer.
  request_digest bytea not null unique,
  request_id text not null,
  -- The digest of the token; null once the valuation is claimed.
  claim_digest bytea,
  -- What it is goes with the claim, since it is then of one Workspace alone. The row stays, so that nobody makes it again.
  document jsonb,
  -- As in valuations.
  summary jsonb,
  status text not null check (status in ('draft', 'completed')),
  conclusion jsonb,
  -- As they were written, which jsonb would not keep.
  result json,
  calculation json,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  check ((claim_digest is null) = (claimed_at is not null)),
  check ((document is null) = (claimed_at is not null) and (summary is null) = (document is null)),
  check ((result is not null) = (status = 'completed' and claimed_at is null)),
  check ((result is null) = (calculation is null) and (result is null) = (conclusion is null))
);
create index visitor_valuations_expiring on visitor_valuations (expires_at);
grant select on visitor_valuations to svc_reader;
grant select, insert, update, delete on visitor_valuations to svc_writer;

alter table benchmark_sets enable row level security;
alter table benchmark_sets force row level security;
create policy within_workspace on benchmark_sets using (workspace_id = current_workspace());
create policy owner_reads_all on benchmark_sets for select to svc_owner using (true);
grant select on benchmark_sets to svc_reader, svc_writer;
grant insert on benchmark_sets to svc_writer;

alter table valuations enable row level security;
alter table valuations force row level security;
create policy within_workspace on valuations using (workspace_id = current_workspace());
create policy owner_reads_all on valuations for select to svc_owner using (true);
grant select on valuations to svc_reader, svc_writer;
grant insert, update on valuations to svc_writer;

alter table valuation_results enable row level security;
alter table valuation_results force row level security;
create policy within_workspace on valuation_results using (workspace_id = current_workspace());
create policy owner_reads_all on valuation_results for select to svc_owner using (true);
grant select on valuation_results to svc_reader, svc_writer;
grant insert on valuation_results to svc_writer;

alter table valuation_evidence enable row level security;
alter table valuation_evidence force row level security;
create policy within_workspace on valuation_evidence using (workspace_id = current_workspace());
create policy owner_reads_all on valuation_evidence for select to svc_owner using (true);
grant select on valuation_evidence to svc_reader, svc_writer;
grant insert on valuation_evidence to svc_writer;

alter table assets enable row level security;
alter table assets force row level security;
create policy within_workspace on assets using (workspace_id = current_workspace());
create policy owner_reads_all on assets for select to svc_owner using (true);
grant select on assets to svc_reader, svc_writer;
grant insert, update on assets to svc_writer;

alter table portfolios enable row level security;
alter table portfolios force row level security;
create policy within_workspace on portfolios using (workspace_id = current_workspace());
create policy owner_reads_all on portfolios for select to svc_owner using (true);
grant select on portfolios to svc_reader, svc_writer;
grant insert, update on portfolios to svc_writer;

alter table portfolio_holdings enable row level security;
alter table portfolio_holdings force row level security;
create policy within_workspace on portfolio_holdings using (workspace_id = current_workspace());
create policy owner_reads_all on portfolio_holdings for select to svc_owner using (true);
grant select on portfolio_holdings to svc_reader, svc_writer;
grant insert, update, delete on portfolio_holdings to svc_writer;
