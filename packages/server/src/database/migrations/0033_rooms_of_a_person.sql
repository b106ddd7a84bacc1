-- Runs with versions from 0028 on.
-- When somebody joined. Null for those who joined before, or without an invitation: then it is when the row was created.
alter table room_participants add column joined_at timestamptz(3);

-- Where somebody takes part, in every Workspace, the latest invitation first. It is by the text of the person, which only that
-- list asks for: by the column, it could be chosen for a look at one Room, and would go through every Room of theirs each time.
create index room_participants_of_person_by_age on room_participants ((user_id::text), id desc) include (workspace_id)
  where status = 'active';

-- Whoever takes part in a Room may know what it and its Workspace are called, wherever they ask from. A policy for this would
-- be planned in every statement that reads Rooms.
create function room_of_participant(in_workspace uuid, in_room text)
  returns table (title text, room_status text, workspace_name text, workspace_status text)
  language sql stable security definer set search_path = svc
as $$
  select r.title, r.status, w.name, w.status
  from svc.room_participants p
  join svc.rooms r on r.workspace_id = p.workspace_id and r.id = p.room_id
  join svc.workspaces w on w.id = p.workspace_id
  where p.workspace_id = in_workspace and p.room_id = in_room and p.user_id = svc.current_caller() and p.status = 'active'
    and (p.expires_at is null or p.expires_at > statement_timestamp())
$$;
