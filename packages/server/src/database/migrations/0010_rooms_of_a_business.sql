-- Where a Business is in Rooms: what changes of its public facts are told by. Ids of Workspaces are all that it tells; the
-- Rooms themselves are looked up in each Workspace by itself. A Room that is archived stays as it is.
create policy business_lookup on room_attachments for select to svc_owner using (true);

create function workspaces_with_rooms(business_ids text[]) returns table (business_id text, workspace_id uuid)
  language sql stable security definer set search_path = svc
as $$
  select r.business_id, r.workspace_id from svc.rooms r
  where r.business_id = any (business_ids) and r.status = 'active'
  union
  select a.resource_id, a.workspace_id from svc.room_attachments a
  join svc.rooms r on r.workspace_id = a.workspace_id and r.id = a.room_id and r.status = 'active'
  where a.type = 'business' and a.resource_id = any (business_ids)
$$;

create index rooms_by_business on rooms (business_id) where business_id is not null;
create index room_attachments_by_business on room_attachments (resource_id) where type = 'business';
