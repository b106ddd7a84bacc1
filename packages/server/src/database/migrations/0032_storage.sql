-- Runs with versions from 0028 on.
-- How many bytes of content a Workspace has, and who brought them: stored, or promised by an open upload. A content counts once for
-- each File that has it in a version. Triggers count, so that nodes of earlier versions do as well.

alter table workspaces add column storage_limit_bytes bigint check (storage_limit_bytes >= 0);

-- A total is the sum of a few rows, one for each of the connections that write at once, so that changes of a Workspace do not
-- wait for each other's commit.
create table storage_usage (
  workspace_id uuid not null references workspaces,
  slot integer not null,
  stored_bytes bigint not null,
  promised_bytes bigint not null,
  files bigint not null,
  primary key (workspace_id, slot)
) with (fillfactor = 50);
create table storage_usage_of_people (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  slot integer not null,
  stored_bytes bigint not null,
  promised_bytes bigint not null,
  primary key (workspace_id, user_id, slot)
) with (fillfactor = 50);

alter table storage_usage enable row level security;
alter table storage_usage force row level security;
alter table storage_usage_of_people enable row level security;
alter table storage_usage_of_people force row level security;
create policy within_workspace on storage_usage using (workspace_id = current_workspace());
create policy within_workspace on storage_usage_of_people using (workspace_id = current_workspace());
create policy owner_reads_all on storage_usage for select to svc_owner using (true);
create policy owner_reads_all on storage_usage_of_people for select to svc_owner using (true);
grant select on storage_usage, storage_usage_of_people to svc_reader, svc_writer;
grant insert, update on storage_usage, storage_usage_of_people to svc_writer;

create function count_storage(workspace uuid, person uuid, stored bigint, promised bigint, new_files bigint) returns void
language sql set search_path = svc as $$
  insert into storage_usage as u (workspace_id, slot, stored_bytes, promised_bytes, files)
  values (workspace, pg_backend_pid() % 16, stored, promised, new_files)
  on conflict (workspace_id, slot) do update set stored_bytes = u.stored_bytes + excluded.stored_bytes,
    promised_bytes = u.promised_bytes + excluded.promised_bytes, files = u.files + excluded.files;
  insert into storage_usage_of_people as u (workspace_id, user_id, slot, stored_bytes, promised_bytes)
  values (workspace, person, pg_backend_pid() % 16, stored, promised)
  on conflict (workspace_id, user_id, slot) do update set stored_bytes = u.stored_bytes + excluded.stored_bytes,
    promised_bytes = u.promised_bytes + excluded.promised_bytes;
$$;

-- Versions of a File are changed under the lock of the File, so no other change can add the same content to it.
create function count_version() returns trigger language plpgsql set search_path = svc as $$
declare
  added bigint := 0;
  new_files bigint := 0;
begin
  if tg_op = 'INSERT' and new.number = 1 then
    new_files := 1;
  end if;
  if new.sha256 is not null and (tg_op = 'INSERT' or old.sha256 is null) and not exists (
    select from file_versions other
    where other.workspace_id = new.workspace_id and other.file_id = new.file_id and other.id <> new.id
      and other.sha256 = new.sha256
  ) then
    added := new.size_bytes;
  end if;
  if added <> 0 or new_files <> 0 then
    perform count_storage(new.workspace_id, new.created_by, added, 0, new_files);
  end if;
  return null;
end
$$;
create trigger storage_counted after insert or update of sha256 on file_versions
  for each row execute function count_version();

create function count_upload() returns trigger language plpgsql set search_path = svc as $$
begin
  if tg_op = 'INSERT' then
    perform count_storage(new.workspace_id, new.created_by, 0, new.size_bytes, 0);
  elsif old.status = 'open' and new.status <> 'open' then
    perform count_storage(new.workspace_id, new.created_by, 0, -old.size_bytes, 0);
  end if;
  return null;
end
$$;
create trigger promised_counted after insert or update of status on file_uploads
  for each row execute function count_upload();

-- Fails a change that goes beyond a limit, which `beyond` names. Near a limit, changes of the Workspace must come one after the
-- other: one that did not lock it alone runs again.
create function refuse_storage(beyond text, is_near boolean) returns void language plpgsql as $$
begin
  if beyond is not null then
    raise exception '%', beyond using errcode = 'SV002';
  elsif is_near and coalesce(current_setting('svc.storage_alone', true), '') <> 'yes' then
    raise exception 'The storage is nearly used up.' using errcode = 'serialization_failure';
  end if;
end
$$;

-- What is there already. The triggers hold the tables, so nothing is added meanwhile.
alter table file_versions no force row level security;
alter table file_uploads no force row level security;
alter table storage_usage no force row level security;
alter table storage_usage_of_people no force row level security;
with counted as materialized (
  select workspace_id, created_by as user_id, size_bytes as stored_bytes, 0::bigint as promised_bytes, 0 as files
  from (
    select distinct on (workspace_id, file_id, sha256) workspace_id, created_by, size_bytes
    from file_versions where sha256 is not null order by workspace_id, file_id, sha256, number
  ) contents
  union all
  select workspace_id, created_by, 0, size_bytes, 0 from file_uploads where status = 'open'
  union all
  select workspace_id, created_by, 0, 0, 1 from file_versions where number = 1
), of_workspaces as (
  insert into storage_usage (workspace_id, slot, stored_bytes, promised_bytes, files)
  select workspace_id, 0, sum(stored_bytes), sum(promised_bytes), sum(files) from counted group by workspace_id
)
insert into storage_usage_of_people (workspace_id, user_id, slot, stored_bytes, promised_bytes)
  select workspace_id, user_id, 0, sum(stored_bytes), sum(promised_bytes) from counted group by workspace_id, user_id;
alter table file_versions force row level security;
alter table file_uploads force row level security;
alter table storage_usage force row level security;
alter table storage_usage_of_people force row level security;
