-- Runs with versions from 0028 on.
-- Who belongs in a Room, and who sees what of it, said once. A rule is changed by a migration with `create or replace function`:
-- it holds at once for all statements and nodes, those of the version before included.
--
-- The planner replaces a call by the body of the function (docs/decisions/0055-who-sees-what-is-said-once.md). That needs SQL
-- that is not volatile, not strict and not security definer and has no SET; a body with a sub-select must also return a set
-- and be called in FROM, with arguments that contain no sub-select. Each function takes the Workspace as a parameter: one that
-- took it from a row could be answered by reading the rows of all Workspaces. Where a function only says whether something is so,
-- it returns a row if it is, for `exists (select from …)`. `offset 0` makes PostgreSQL evaluate a part by its key, for the row in
-- question: otherwise it may read all members of a Workspace, or all published Businesses, once for many rows.

-- The active membership of a person.
create function membership_of(workspace uuid, person uuid) returns setof uuid language sql stable
begin atomic
  select m.id from memberships m where m.workspace_id = workspace and m.user_id = person and m.status = 'active';
end;

-- Whether a participation is active and its end date has not passed.
create function is_participation_active(status text, expires_at timestamptz) returns boolean language sql stable
  return status = 'active' and (expires_at is null or expires_at > statement_timestamp());

-- A membership that is active.
create function active_membership(workspace uuid, membership uuid) returns setof uuid language sql stable
begin atomic
  select m.id from memberships m where m.workspace_id = workspace and m.id = membership and m.status = 'active';
end;

-- Whether the membership that a participation belongs to is still active; always true for a guest. A participation ends with the
-- membership that the member had when they joined the Room, and a new membership does not bring it back.
create function membership_lasts(as_guest boolean, membership_is_active boolean) returns boolean language sql immutable
  return as_guest or membership_is_active;

-- The participation by which a person takes part in a Room now.
create function participation_in_room(workspace uuid, room text, person uuid)
  returns table (participant_id uuid, membership_id uuid, access_level access_level) language sql stable
begin atomic
  select p.id, p.membership_id, p.access_level from room_participants p
  where p.workspace_id = workspace and p.room_id = room and p.user_id = person
    and is_participation_active(p.status, p.expires_at)
    and membership_lasts(p.as_guest, exists (select from active_membership(workspace, p.membership_id)));
end;

-- A row if a viewer can read a Business: it is published, or their Workspace sees it unpublished.
create function readable_business(workspace uuid, reads_businesses boolean, business text) returns setof boolean language sql stable
begin atomic
  select true where exists (select from published_businesses published where published.id = business offset 0)
    or reads_businesses and exists (
      select from workspace_businesses linked
      where linked.workspace_id = workspace and linked.business_id = business and linked.removed_at is null
        and linked.sees_unpublished offset 0);
end;

-- The level that general access to a Room gives a viewer, or null. `can_read_business` is about the Business of the Room.
create function general_level(
  is_member boolean, reads_businesses boolean, general_access text, general_access_level access_level, can_read_business boolean)
  returns access_level language sql immutable
  return case
    when not is_member then null
    when general_access = 'workspace' then general_access_level
    when general_access = 'business' and reads_businesses and can_read_business then general_access_level
  end;

-- The level of a viewer in a Room, or null: the higher one of their participation and of general access. The last four arguments
-- are columns of the Room.
create function level_in_room(
  workspace uuid, viewer uuid, is_member boolean, reads_businesses boolean,
  room text, general_access text, general_access_level access_level, business text)
  returns setof access_level language sql stable
begin atomic
  select greatest(
    (select taking_part.access_level from participation_in_room(workspace, room, viewer) taking_part),
    general_level(is_member, reads_businesses, general_access, general_access_level,
      exists (select from readable_business(workspace, reads_businesses, business)))) offset 0;
end;

-- The same for a statement that has found out already whether the viewer can read the Business of the Room.
create function level_in_room(
  workspace uuid, viewer uuid, is_member boolean, reads_businesses boolean,
  room text, general_access text, general_access_level access_level, can_read_business boolean)
  returns setof access_level language sql stable
begin atomic
  select greatest(
    (select taking_part.access_level from participation_in_room(workspace, room, viewer) taking_part),
    general_level(is_member, reads_businesses, general_access, general_access_level, can_read_business)) offset 0;
end;

-- The Rooms in which a viewer may have a level, after an id, at most `most` from each source; null is all. Only a participation or
-- general access gives a level, so no other Room needs to be read. `level_in_room` decides whether the viewer has one. Whoever
-- compares the ids says `collate "C"`, which a function cannot return.
create function rooms_maybe_seen_by(
  workspace uuid, viewer uuid, is_member boolean, reads_businesses boolean, after text, most bigint)
  returns table (source text, id text) language sql stable
begin atomic
  (select 'taking part', p.room_id from room_participants p
   where p.workspace_id = workspace and p.user_id = viewer and p.status = 'active' and p.room_id > after
   order by p.room_id limit most)
  union all
  (select 'workspace', r.id from rooms r
   where r.workspace_id = workspace and r.general_access = 'workspace' and is_member and r.id > after
   order by r.id limit most)
  union all
  (select 'business', r.id from rooms r
   where r.workspace_id = workspace and r.general_access = 'business' and is_member and reads_businesses and r.id > after
   order by r.id limit most);
end;

-- Whether a Room hides guests from each other: a guest with this level in it does not see other guests.
create function masks_guests(participant_visibility text, viewer_level access_level) returns boolean language sql immutable
  return participant_visibility = 'managers' and viewer_level < 'full_access';

-- Whether a guest sees a person in a Room that masks guests: themselves, members of the Workspace, and where nobody is named.
create function is_known_person(viewer uuid, person uuid, person_is_member boolean) returns boolean language sql immutable
  return person is null or person = viewer or person_is_member;

-- A row if they see all of an array.
create function known_people(workspace uuid, viewer uuid, people uuid[]) returns setof boolean language sql stable
begin atomic
  select true where not exists (
    select from unnest(people) as named (id)
    where not is_known_person(viewer, named.id, exists (select from membership_of(workspace, named.id))));
end;

-- The level of a viewer on a row with a place, or null: the level in its Room or, without a Room, edit for every member of the
-- Workspace, whose permissions decide what they may do. A Room that masks guests hides a row that concerns people whom the viewer
-- does not see.
create function level_on_placed(
  workspace uuid, viewer uuid, is_member boolean, reads_businesses boolean, room text, people uuid[])
  returns setof access_level language sql stable
begin atomic
  select case
    when room is null then case when is_member then 'edit'::access_level end
    else (
      select seen.access_level
      from (
        select r.id, r.general_access, r.general_access_level, r.business_id, r.participant_visibility
        from rooms r where r.workspace_id = workspace and r.id = room offset 0
      ) r
      cross join lateral level_in_room(workspace, viewer, is_member, reads_businesses,
        r.id, r.general_access, r.general_access_level, r.business_id) as seen (access_level)
      where seen.access_level is not null
        and (is_member or not masks_guests(r.participant_visibility, seen.access_level)
          or exists (select from known_people(workspace, viewer, people))))
  end offset 0;
end;

-- A row if the basis on which somebody could open a Room once still exists: that participation, and that membership. Null is none.
create function lasting_basis(workspace uuid, room text, participant uuid, membership uuid) returns setof boolean language sql stable
begin atomic
  select true
  where (participant is null or exists (
      select from room_participants p
      where p.workspace_id = workspace and p.room_id = room and p.id = participant
        and is_participation_active(p.status, p.expires_at)
        and membership_lasts(p.as_guest, exists (select from active_membership(workspace, p.membership_id))) offset 0))
    and (membership is null or exists (select from active_membership(workspace, membership)));
end;

-- The level that a permission on a File in a Room gives a person. It is in force as long as the basis on which the person could
-- open the Room when it was granted.
create function permission_on_room_file(workspace uuid, room_file text, person uuid)
  returns table (access_level access_level) language sql stable
begin atomic
  select p.access_level from room_file_permissions p
  where p.workspace_id = workspace and p.room_file_id = room_file and p.user_id = person and p.status = 'active'
    and exists (select from lasting_basis(workspace, p.room_id, p.participant_id, p.membership_id));
end;

-- Whether a Room shows the Files that guests bring into it to them and to managers alone. Unless it was chosen, it depends on
-- which people guests see there.
create function keeps_guest_files(guest_files text, participant_visibility text) returns boolean language sql immutable
  return coalesce(guest_files, case participant_visibility when 'managers' then 'uploader' else 'everyone' end) = 'uploader';

-- Whether a File in a Room is open to all of the Room, or was brought by this person. Null is nobody.
create function is_open_in_room(access_mode text, guest uuid, person uuid, keeps_guest_files boolean) returns boolean
  language sql immutable
  return access_mode = 'inherit_room' and (guest is null or coalesce(guest = person, false) or not keeps_guest_files);

-- The level of a viewer on a File in a Room, or null; `room_level` is their level in the Room. A restricted File is for those with
-- a permission and those with full access to the Room, and so is one that the Room keeps for the guest who brought it. In such a
-- Room, guests change only what they brought: they cannot show others what nobody has opened. An archived File is only for those
-- who may edit it. The last four arguments are columns of the File in the Room.
create function level_on_room_file(
  workspace uuid, viewer uuid, is_member boolean, room_level access_level, keeps_guest_files boolean,
  room_file text, access_mode text, guest uuid, status text)
  returns setof access_level language sql stable
begin atomic
  select case when status <> 'archived' or open.access_level >= 'edit' then open.access_level end
  from (
    select case
      when room_level is null or room_level = 'full_access' then room_level
      when is_open_in_room(access_mode, guest, viewer, keeps_guest_files) then
        case when is_member or coalesce(guest = viewer, false) or not keeps_guest_files then room_level
          else least(room_level, 'view') end
      else (select permission.access_level from permission_on_room_file(workspace, room_file, viewer) permission)
    end as access_level offset 0
  ) open offset 0;
end;

grant execute on function membership_of, is_participation_active, active_membership, membership_lasts, participation_in_room,
  readable_business,
  general_level, level_in_room(uuid, uuid, boolean, boolean, text, text, access_level, text),
  level_in_room(uuid, uuid, boolean, boolean, text, text, access_level, boolean), rooms_maybe_seen_by, masks_guests,
  is_known_person, known_people, level_on_placed, lasting_basis, permission_on_room_file, keeps_guest_files, is_open_in_room,
  level_on_room_file
  to svc_reader, svc_writer;
