-- Set-up with the rights of the login of DATABASE_URL. The login must be able to create roles and extensions, unless they
-- exist: svc_owner owns everything, svc_writer writes, svc_reader may only SELECT. None of them can log in.
do $$
declare
  role_name text;
begin
  if current_setting('server_version_num')::int < 150000 then
    raise exception 'PostgreSQL 15 or newer is needed; this is %', current_setting('server_version');
  end if;
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'the database must be encoded in UTF8, not %', current_setting('server_encoding');
  end if;
  foreach role_name in array array['svc_owner', 'svc_writer', 'svc_reader'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin', role_name);
      exception when duplicate_object or unique_violation then
        null; -- another database of this cluster is being set up at the same time
      end;
    end if;
    -- From PostgreSQL 16 on, the creator of a role is a member of it, but may use it only when that is granted too.
    if not pg_has_role(current_user, role_name,
                       case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) then
      execute format('grant %I to current_user', role_name);
    end if;
  end loop;
end $$;
create extension if not exists pg_trgm schema public;
do $$
declare
  schema_name text;
begin
  -- "create schema if not exists" needs the right to create a schema even if it exists; the login may not have it.
  foreach schema_name in array array['svc', 'svc_jobs'] loop
    if to_regnamespace(schema_name) is null then
      execute format('create schema %I authorization svc_owner', schema_name);
    end if;
  end loop;
end $$;

-- The digest of each migration file when it was applied: a file with another digest later was changed by mistake.
set local role svc_owner;
create table if not exists svc.migration_files (name text collate "C" primary key, sha256 text not null);
reset role;
