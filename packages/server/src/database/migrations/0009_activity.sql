-- How far the feeds of some Workspaces have come: what a node asks for all its waiting readers at once, whose Workspaces
-- differ. Positions are all that it tells, and of Workspaces whose ids one must know.
create policy feed_lookup on feed_positions for select to svc_owner using (true);

create function feed_positions_of(workspace_ids uuid[]) returns table (workspace_id uuid, last_position bigint)
  language sql stable security definer set search_path = svc
as $$
  select f.workspace_id, f.last_position from svc.feed_positions f where f.workspace_id = any (workspace_ids)
$$;

-- Whether somebody takes part in a Room is asked of every Room that is looked at. With the Room in it, this index answers
-- that as well as where somebody takes part at all; without, it could be chosen for it all the same, and goes through
-- every Room of theirs each time.
create index room_participants_of_person on room_participants (user_id, workspace_id, room_id) where status = 'active';
drop index room_participants_of_user;
