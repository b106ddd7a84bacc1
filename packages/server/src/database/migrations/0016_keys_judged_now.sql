-- Runs with versions from 0015 on.
-- A change asks about its key again behind a lock that it may have waited for, and now() is when its transaction began: a
-- key that was revoked meanwhile held for that change. Revoked is revoked, whatever the clock says, and what ends by the
-- clock is compared with the time of the statement.
create or replace function find_api_key_by_prefix(key_prefix text)
  returns table (id uuid, workspace_id uuid, owner_user_id uuid, name text, secret_digests bytea[], scopes text[],
                 allowed_cidrs text[], expired boolean, revoked boolean)
  language sql stable security definer set search_path = svc
as $$
  select k.id, k.workspace_id, k.owner_user_id, k.name,
         case when k.previous_secret_until > statement_timestamp() then array[k.secret_digest, k.previous_digest]
              else array[k.secret_digest] end,
         k.scopes, k.allowed_cidrs::text[], coalesce(k.expires_at <= statement_timestamp(), false), k.revoked_at is not null
  from svc.api_keys k where k.prefix = key_prefix
$$;
