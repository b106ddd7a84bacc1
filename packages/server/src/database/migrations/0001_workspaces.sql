-- Who is in a Workspace, with what authority, and what was done there.
-- Runs as svc_owner with search_path svc. Every Workspace table leads its keys with workspace_id and is under
-- row-level security: the settings svc.workspace_id and svc.user_id say for whom a statement runs.

create function current_workspace() returns uuid language sql stable
  return nullif(current_setting('svc.workspace_id', true), '')::uuid;

create function current_caller() returns uuid language sql stable
  return nullif(current_setting('svc.user_id', true), '')::uuid;

create table users (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  email text,
  name text,
  updated_at timestamptz(3) not null default now(),
  unique (issuer, subject)
);

create table workspaces (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 200),
  workspace_type text not null check (workspace_type in ('personal', 'team')),
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  metadata jsonb not null default '{}' check (octet_length(metadata::text) <= 16384),
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table memberships (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  status text not null check (status in ('invited', 'active', 'removed')),
  permissions jsonb not null default '{}',
  revision integer not null default 1,
  joined_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create unique index memberships_one_standing on memberships (workspace_id, user_id) where status <> 'removed';
create index memberships_of_user on memberships (user_id, workspace_id) where status = 'active';

create table api_keys (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  owner_user_id uuid not null references users,
  name text not null check (char_length(name) between 1 and 200),
  prefix text not null unique,
  last4 text not null,
  secret_digest bytea not null check (octet_length(secret_digest) = 32),
  scopes text[] not null,
  allowed_cidrs cidr[],
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);

-- One row an Idempotency-Key that was used. The scope is the Workspace, or the user where there is none.
-- The answer is kept as the bytes that were sent (less envelope and secrets), not as jsonb, which would rewrite numbers.
create table commands (
  scope_id uuid not null,
  principal text collate "C" not null check (principal ~ '^(user|key):'),
  idempotency_key text collate "C" not null check (char_length(idempotency_key) between 8 and 200),
  command_id uuid not null,
  operation text not null,
  fingerprint bytea not null,
  request_id text not null,
  status smallint,
  answer text,
  receipt_workspace_id uuid,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  primary key (scope_id, principal, idempotency_key)
);
create index commands_expiring on commands (expires_at) where expires_at is not null;

create table receipts (
  workspace_id uuid not null references workspaces,
  receipt_id uuid not null,
  command_id uuid not null,
  operation text not null,
  actor jsonb not null,
  resource_type text not null,
  resource_id text not null,
  changed text[] not null default '{}',
  occurred_at timestamptz(3) not null,
  primary key (workspace_id, receipt_id),
  unique (workspace_id, command_id)
);

-- The feed of a Workspace. Positions are given out under the lock of the counter row just before the commit, so that
-- their order is the order of commits and a reader never falls into a gap that fills later.
create table feed_positions (
  workspace_id uuid primary key references workspaces,
  last_position bigint not null default 0
);

create table events (
  workspace_id uuid not null references workspaces,
  position bigint not null,
  id text collate "C" not null,
  type text not null,
  feed text not null check (feed in ('activity', 'audit')),
  occurred_at timestamptz(3) not null,
  actor jsonb not null,
  subject jsonb not null,
  about jsonb,
  room_id text collate "C",
  data jsonb not null default '{}',
  command_id uuid not null,
  ordinal smallint not null,
  primary key (workspace_id, position),
  unique (workspace_id, id),
  unique (workspace_id, command_id, ordinal)
);

-- What all nodes must agree on and no reader may see.
create table service_secrets (
  name text primary key,
  value bytea not null
);

-- A command that commits has its answer and its receipt; anything else is a bug that must not become durable. What the
-- transaction cannot see at its end, since it moved elsewhere, counts as missing.
create function check_command_is_settled() returns trigger language plpgsql as $$
begin
  if not exists (
    select from svc.commands c join svc.receipts r on r.workspace_id = c.receipt_workspace_id and r.command_id = c.command_id
    where c.scope_id = new.scope_id and c.principal = new.principal and c.idempotency_key = new.idempotency_key
      and c.status is not null and c.answer is not null
  ) then
    raise exception 'command % commits without its answer or receipt', new.command_id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger commands_settled after insert or update on commands
  deferrable initially deferred for each row execute function check_command_is_settled();

-- An API key names its Workspace, so it is looked up before there is one: the only door past row-level security.
create function find_api_key(key_prefix text)
  returns table (id uuid, workspace_id uuid, owner_user_id uuid, name text, secret_digest bytea, scopes text[],
                 allowed_cidrs cidr[], expired boolean, revoked boolean)
  language sql stable security definer set search_path = svc
as $$
  select k.id, k.workspace_id, k.owner_user_id, k.name, k.secret_digest, k.scopes, k.allowed_cidrs,
         coalesce(k.expires_at <= now(), false), coalesce(k.revoked_at <= now(), false)
  from svc.api_keys k where k.prefix = key_prefix
$$;

alter table workspaces enable row level security;
alter table workspaces force row level security;
alter table memberships enable row level security;
alter table memberships force row level security;
alter table api_keys enable row level security;
alter table api_keys force row level security;
alter table commands enable row level security;
alter table commands force row level security;
alter table receipts enable row level security;
alter table receipts force row level security;
alter table feed_positions enable row level security;
alter table feed_positions force row level security;
alter table events enable row level security;
alter table events force row level security;

create policy within_workspace on workspaces using (id = (select current_workspace()));
create policy within_workspace on memberships using (workspace_id = (select current_workspace()));
create policy within_workspace on api_keys using (workspace_id = (select current_workspace()));
create policy within_scope on commands using (scope_id in ((select current_workspace()), (select current_caller())));
create policy within_workspace on receipts using (workspace_id = (select current_workspace()));
create policy within_workspace on feed_positions using (workspace_id = (select current_workspace()));
create policy within_workspace on events using (workspace_id = (select current_workspace()));

-- A person sees where they belong, in every Workspace at once.
create policy own_memberships on memberships for select using (user_id = (select current_caller()));
create policy own_workspaces on workspaces for select
  using (id in (select m.workspace_id from memberships m where m.user_id = (select current_caller()) and m.status = 'active'));
create policy key_lookup on api_keys for select to svc_owner using (true);

grant usage on schema svc to svc_reader, svc_writer;
grant select on all tables in schema svc to svc_reader, svc_writer;
revoke select on service_secrets from svc_reader;
grant insert on service_secrets to svc_writer;
grant insert, update on users, workspaces, memberships, api_keys, commands, feed_positions to svc_writer;
grant delete on commands to svc_writer;
grant insert on receipts, events to svc_writer;
