-- Runs with versions from 0028 on.
-- Contents that are removed from the blob store, which is asked in no transaction.

create table content_removals (
  workspace_id uuid not null references workspaces,
  sha256 text collate "C" not null,
  began_at timestamptz not null,
  -- Null until the blob store has removed the content.
  ended_at timestamptz,
  primary key (workspace_id, sha256)
);
alter table content_removals enable row level security;
alter table content_removals force row level security;
create policy within_workspace on content_removals using (workspace_id = current_workspace());
create policy owner_reads_all on content_removals for select to svc_owner using (true);
grant select on content_removals to svc_reader, svc_writer;
grant insert, update, delete on content_removals to svc_writer;

-- Whoever names a content and does not know of removals, such as an earlier version, is told to try again.
create function refuse_content_under_removal() returns trigger language plpgsql set search_path = svc as $$
begin
  if exists (
    select from content_removals r
    where r.workspace_id = new.workspace_id and r.sha256 = new.sha256 and r.ended_at is null
  ) then
    raise exception 'The content is being removed.' using errcode = 'serialization_failure';
  end if;
  return new;
end
$$;
create trigger content_kept before insert or update of sha256 on file_versions
  for each row when (new.sha256 is not null) execute function refuse_content_under_removal();
