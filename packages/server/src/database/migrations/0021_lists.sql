-- Runs with versions from 0020 on.
-- Lists: their rules, columns, overrides and values. The members of a List are not stored: they follow from its rule and its
-- overrides, and are evaluated for whoever asks.

create table lists (
  workspace_id uuid not null references workspaces,
  id text collate "C" not null,
  name text not null check (char_length(name) between 1 and 200),
  -- The name as it is searched.
  name_folded text collate "C" not null,
  description text check (char_length(description) between 1 and 10000),
  rule jsonb not null,
  -- Raised by every change of the definition, the columns, the overrides and the values.
  version integer not null default 1,
  lifecycle_status text not null default 'active' check (lifecycle_status in ('active', 'restricted', 'archived')),
  -- The version that last changed which Businesses are members: one of the rule or of an override.
  members_version integer not null default 1,
  -- What was counted last, for callers who see all that the Workspace sees.
  counted_value integer,
  counted_status text check (counted_status in ('exact', 'estimated')),
  counted_version integer,
  counted_at timestamptz(3),
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (workspace_id, id),
  check ((lifecycle_status = 'archived') = (archived_at is not null)),
  check (num_nonnulls(counted_value, counted_status, counted_version, counted_at) in (0, 4))
);

create table list_columns (
  workspace_id uuid not null,
  list_id text collate "C" not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  value_type text not null check (value_type in ('text', 'number', 'boolean', 'date')),
  -- From 0, without gaps. Null if the column is archived.
  position integer,
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, list_id) references lists,
  check ((position is null) = (archived_at is not null))
);
create index list_columns_of_list on list_columns (workspace_id, list_id, position);

create table list_overrides (
  workspace_id uuid not null,
  list_id text collate "C" not null,
  member_id text collate "C" not null references businesses,
  mode text not null check (mode in ('include', 'exclude')),
  reason text check (char_length(reason) between 1 and 2000),
  expires_at timestamptz(3),
  set_by uuid not null references users,
  set_at timestamptz(3) not null,
  primary key (workspace_id, list_id, member_id),
  foreign key (workspace_id, list_id) references lists
);
-- Every read of a counted List asks whether an override has expired since.
create index list_overrides_expiring on list_overrides (workspace_id, list_id, expires_at) where expires_at is not null;

-- The value of a column for a Business, in the column of its type. A Business that is no member now keeps its values.
create table list_values (
  workspace_id uuid not null,
  list_id text collate "C" not null,
  member_id text collate "C" not null references businesses,
  column_id uuid not null,
  text_value text check (char_length(text_value) between 1 and 10000),
  -- The text as it is compared, folded as search folds names.
  text_folded text collate "C",
  number_value double precision,
  boolean_value boolean,
  date_value date,
  primary key (workspace_id, list_id, member_id, column_id),
  foreign key (workspace_id, list_id) references lists,
  foreign key (workspace_id, column_id) references list_columns,
  check (num_nonnulls(text_value, number_value, boolean_value, date_value) = 1),
  check ((text_value is null) = (text_folded is null))
);
-- A filter begins with the values of its column.
create index list_values_of_column on list_values (workspace_id, list_id, column_id, member_id);

-- What was written into a value, in the version of the List that did it. A null value cleared it.
create table list_value_changes (
  workspace_id uuid not null,
  list_id text collate "C" not null,
  member_id text collate "C" not null,
  column_id uuid not null,
  version integer not null,
  value jsonb,
  actor jsonb not null,
  written_at timestamptz(3) not null,
  primary key (workspace_id, list_id, member_id, column_id, version),
  foreign key (workspace_id, list_id) references lists,
  foreign key (workspace_id, column_id) references list_columns
);

alter table lists enable row level security;
alter table lists force row level security;
alter table list_columns enable row level security;
alter table list_columns force row level security;
alter table list_overrides enable row level security;
alter table list_overrides force row level security;
alter table list_values enable row level security;
alter table list_values force row level security;
alter table list_value_changes enable row level security;
alter table list_value_changes force row level security;
create policy within_workspace on lists using (workspace_id = current_workspace());
create policy within_workspace on list_columns using (workspace_id = current_workspace());
create policy within_workspace on list_overrides using (workspace_id = current_workspace());
create policy within_workspace on list_values using (workspace_id = current_workspace());
create policy within_workspace on list_value_changes using (workspace_id = current_workspace());
create policy owner_reads_all on lists for select to svc_owner using (true);
create policy owner_reads_all on list_columns for select to svc_owner using (true);
create policy owner_reads_all on list_overrides for select to svc_owner using (true);
create policy owner_reads_all on list_values for select to svc_owner using (true);
create policy owner_reads_all on list_value_changes for select to svc_owner using (true);
grant select on lists, list_columns, list_overrides, list_values, list_value_changes to svc_reader, svc_writer;
grant insert, update on lists, list_columns to svc_writer;
grant insert, update, delete on list_overrides, list_values to svc_writer;
grant insert on list_value_changes to svc_writer;

-- The terms of search have places of the U.S. only, so a rule about a place looks for the few other Businesses here.
create index published_businesses_abroad on published_businesses (id) where country_code <> 'US';
