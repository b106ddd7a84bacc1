-- Runs with versions from 0024 on.
-- Read replicas: how far each of them is, and which callers may not be answered by one that is behind their own changes.

-- One row, which a node with replicas renews every second. A replica that shows it has all that was committed before.
create table replication_beat (
  only_row boolean primary key default true check (only_row),
  -- Random, so that only a replica of this database can show it.
  token uuid not null,
  -- The tokens before it, the newest first.
  earlier uuid[] not null,
  at timestamptz not null,
  -- Which transactions had been committed.
  snapshot pg_snapshot not null
) with (fillfactor = 50);
grant select on replication_beat to svc_reader, svc_writer;
grant insert, update on replication_beat to svc_writer;

-- The last transaction in which somebody changed facts that everybody can read, from a Workspace. A transaction after it
-- waited for it, so no earlier one is open.
create table public_changes (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  transaction_id xid8 not null,
  primary key (workspace_id, user_id)
);
create index public_changes_of_user on public_changes (user_id);

alter table public_changes enable row level security;
alter table public_changes force row level security;
create policy within_workspace on public_changes using (workspace_id = current_workspace());
-- A person sees what they changed, in every Workspace at once.
create policy own_changes on public_changes for select using (user_id = current_caller());
create policy owner_reads_all on public_changes for select to svc_owner using (true);
grant select on public_changes to svc_reader, svc_writer;
grant insert, update on public_changes to svc_writer;
