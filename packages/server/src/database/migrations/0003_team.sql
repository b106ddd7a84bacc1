-- API keys that can be rotated, and when each was last used.

alter table api_keys
  add column previous_digest bytea check (octet_length(previous_digest) = 32),
  add column previous_secret_until timestamptz(3),
  add column updated_at timestamptz(3) not null default now(),
  add check ((previous_digest is null) = (previous_secret_until is null));
create index api_keys_of_owner on api_keys (workspace_id, owner_user_id) where revoked_at is null;

-- Not part of the key: it has no revision, and is written behind the requests, some of them at a time.
create table api_key_uses (
  workspace_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz(3) not null,
  primary key (workspace_id, key_id),
  foreign key (workspace_id, key_id) references api_keys
);
alter table api_key_uses enable row level security;
alter table api_key_uses force row level security;
create policy within_workspace on api_key_uses using (workspace_id = (select current_workspace()));

-- Nodes of the release before still call the function that this one replaces, so it stays.
create function find_api_key_by_prefix(key_prefix text)
  returns table (id uuid, workspace_id uuid, owner_user_id uuid, name text, secret_digests bytea[], scopes text[],
                 allowed_cidrs text[], expired boolean, revoked boolean)
  language sql stable security definer set search_path = svc
as $$
  select k.id, k.workspace_id, k.owner_user_id, k.name,
         case when k.previous_secret_until > now() then array[k.secret_digest, k.previous_digest] else array[k.secret_digest] end,
         k.scopes, k.allowed_cidrs::text[], coalesce(k.expires_at <= now(), false), coalesce(k.revoked_at <= now(), false)
  from svc.api_keys k where k.prefix = key_prefix
$$;

-- A change under way holds its Idempotency-Key by an advisory lock of this number, which any node can see.
create function command_lock(scope_id uuid, principal text, idempotency_key text) returns bigint language sql immutable
  return hashtextextended(scope_id::text || ' ' || principal || ' ' || idempotency_key, 7230146);

-- A person may see the receipts of what they did outside any Workspace, as long as they belong where it led.
create policy own_receipts on receipts for select using (
  command_id in (select c.command_id from commands c where c.scope_id = (select current_caller()))
  and workspace_id in (select m.workspace_id from memberships m where m.user_id = (select current_caller()) and m.status = 'active')
);

grant select on api_key_uses to svc_reader, svc_writer;
grant insert, update on api_key_uses to svc_writer;
