-- Runs with versions from 0033 on.
-- Rooms keep the Files of guests apart, and Tasks tell which guests wrote in them, so that rivals do not see each other.

-- Null: it follows participant_visibility.
alter table rooms add column guest_files text check (guest_files in ('uploader', 'everyone'));

-- The guest who brought the File into the Room, until a manager decides who sees it there.
alter table room_files add column guest_id uuid references users;
create index room_files_of_all on room_files (workspace_id, room_id, index_path, id)
  where status <> 'archived' and access_mode = 'inherit_room' and guest_id is null;
create index room_files_of_guests on room_files (workspace_id, room_id, index_path, id) where guest_id is not null;
create index room_files_of_guest on room_files (workspace_id, room_id, guest_id, index_path, id) where guest_id is not null;

-- Who gave the terminal_reason: of one that was given before, nobody knows. And the guests who wrote in the Task; null: none.
alter table tasks add column ended_by uuid references users, add column written_by uuid[];
-- Until when it was not recorded who ended the Task, so that events of reopening may repeat the note of an unknown guest. Null: it
-- always was, as for every Task from now on.
alter table tasks add column enders_unknown_until timestamptz(3) default now();
alter table tasks alter column enders_unknown_until drop default;

-- Who does not see that another guest has attached something attaches it once more.
alter table room_attachments drop constraint room_attachments_workspace_id_room_id_type_resource_id_key;
alter table room_attachments add unique (workspace_id, room_id, type, resource_id, attached_by);

-- What guests have brought already. An owner to whom row-level security applies would find no row.
alter table room_files no force row level security;
alter table room_participants no force row level security;
alter table memberships no force row level security;
update room_files rf set guest_id = rf.attached_by
where rf.access_mode = 'inherit_room'
  and exists (
    select from room_participants p
    where p.workspace_id = rf.workspace_id and p.room_id = rf.room_id and p.user_id = rf.attached_by and p.as_guest
      and p.access_level < 'full_access')
  and not exists (
    select from memberships m
    where m.workspace_id = rf.workspace_id and m.user_id = rf.attached_by and m.status = 'active');
alter table room_files force row level security;
alter table room_participants force row level security;
alter table memberships force row level security;
