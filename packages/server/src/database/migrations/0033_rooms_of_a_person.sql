-- Runs with versions from 0028 on.
-- When somebody joined. Null for those who joined before, or without an invitation: then it is when the row was created.
alter table room_participants add column joined_at timestamptz(3);

-- Where somebody takes part, in every Workspace, the latest invitation first. It is by the text of the person, which only that
-- list asks for: by the column, it could be chosen for a look at one Room, and would go through every Room of theirs each time.
create index room_participants_of_person_by_age on room_participants ((user_id::text), id desc) include (workspace_id)
  where status = 'active';

-- Where the caller takes part, the latest invitation first, from before a participation on. Whoever takes part in a Room may know
-- what it and its Workspace are called, wherever they ask from; a policy for this would be planned in every statement that reads
-- Rooms. In a function, because behind a policy the index above is not used: it compares a text that is made from the column. For
-- the same reason its order names all columns of the index.
create function rooms_of_caller(in_workspace uuid, before uuid, most integer)
  returns table (participant_id uuid, workspace_id uuid, room_id text, as_guest boolean, membership_id uuid,
    access_level access_level, joined_at timestamptz, title text, room_status text, workspace_name text, workspace_status text)
  language sql stable security definer set search_path = svc
as $$
  select p.id, p.workspace_id, p.room_id, p.as_guest, p.membership_id, p.access_level, coalesce(p.joined_at, p.created_at),
    r.title, r.status, w.name, w.status
  from (
    select * from svc.room_participants own
    where own.user_id::text = svc.current_caller()::text and own.status = 'active'
      and (in_workspace is null or own.workspace_id = in_workspace) and (before is null or own.id < before)
    order by own.user_id::text, own.id desc limit most
  ) p
  left join lateral (
    select one.title, one.status from svc.rooms one
    where one.workspace_id = p.workspace_id and one.id = p.room_id
      and (p.expires_at is null or p.expires_at > statement_timestamp()) offset 0
  ) r on true
  left join lateral (select one.name, one.status from svc.workspaces one where one.id = p.workspace_id offset 0) w on true
$$;
