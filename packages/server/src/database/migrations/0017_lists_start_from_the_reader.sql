-- Runs with versions from 0015 on.
-- A list of Rooms, or of events, begins with the Rooms that its reader may open, or with those that its filter names,
-- whichever are fewer: each of them is found by an index, in the order of the Rooms' ids.
create index rooms_of_general_access on rooms (workspace_id, general_access, id) where general_access <> 'invited_only';
create index rooms_of_parent_in_order on rooms (workspace_id, parent_id, id) where parent_id is not null;
create index rooms_of_business_in_order on rooms (workspace_id, business_id, id) where business_id is not null;
create index room_attachments_of_business on room_attachments (workspace_id, resource_id, room_id) where type = 'business';

-- The first two columns of what takes their place.
drop index rooms_of_parent, rooms_of_business;
