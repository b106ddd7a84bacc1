-- How far the feeds of some Workspaces have come: what a node asks for all its waiting readers at once, whose Workspaces
-- differ. Positions are all that it tells, and of Workspaces whose ids one must know.
create policy feed_lookup on feed_positions for select to svc_owner using (true);

create function feed_positions_of(workspace_ids uuid[]) returns table (workspace_id uuid, last_position bigint)
  language sql stable security definer set search_path = svc
as $$
  select f.workspace_id, f.last_position from svc.feed_positions f where f.workspace_id = any (workspace_ids)
$$;
