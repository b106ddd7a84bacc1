-- The number under which PostgreSQL's lock manager knows what a change locks (database/locks.ts): a thing of a Workspace, or
-- of none.
create function lock_number(thing text, workspace_id uuid, id text) returns bigint language sql immutable
  return hashtextextended(thing || ' ' || coalesce(workspace_id::text, '') || ' ' || id, 7230147);

-- Who is told again of a change of a participant is found by the participant's id alone.
create unique index room_participants_by_id on room_participants (workspace_id, id);

-- What somebody may do in a Room as one of the Workspace ends with the membership that they had then: coming back begins
-- another one. Who came from outside (as_guest) has none.
alter table room_participants
  add column membership_id uuid,
  -- An invitation is worth what its sender could still give: as whom they sent it (by the id of their membership, or as a
  -- guest of their own part in the Room), and with which API key, if with one.
  add column sent_as uuid,
  add column sent_with uuid,
  add foreign key (workspace_id, membership_id) references memberships,
  add foreign key (workspace_id, sent_with) references api_keys (workspace_id, id);
create index room_participants_of_membership on room_participants (workspace_id, membership_id) where membership_id is not null;
alter table team_invitations
  add column sent_as uuid,
  add column sent_with uuid,
  add foreign key (workspace_id, sent_as) references memberships (workspace_id, id),
  add foreign key (workspace_id, sent_with) references api_keys (workspace_id, id);

-- Both are filled in here, for nodes of the release before as well, which know nothing of them.
create function membership_now(workspace uuid, person uuid) returns uuid language sql stable
  return (select m.id from memberships m where m.workspace_id = workspace and m.user_id = person and m.status = 'active');

create function note_participation() returns trigger language plpgsql set search_path = svc as $$
begin
  if new.status = 'active' and (tg_op = 'INSERT' or old.status <> 'active' or old.as_guest is distinct from new.as_guest) then
    new.membership_id := case when not new.as_guest then membership_now(new.workspace_id, new.user_id) end;
  end if;
  if new.status = 'pending' and (tg_op = 'INSERT' or old.token_number <> new.token_number) then
    new.sent_as := coalesce(membership_now(new.workspace_id, new.invited_by), (
      select p.id from room_participants p
      where p.workspace_id = new.workspace_id and p.room_id = new.room_id and p.user_id = new.invited_by and p.status = 'active'));
  end if;
  return new;
end $$;
create trigger participation_noted before insert or update on room_participants
  for each row execute function note_participation();

create function note_sender() returns trigger language plpgsql set search_path = svc as $$
begin
  if new.status = 'pending' and (tg_op = 'INSERT' or old.token_number <> new.token_number) then
    new.sent_as := membership_now(new.workspace_id, new.invited_by);
  end if;
  return new;
end $$;
create trigger sender_noted before insert or update on team_invitations
  for each row execute function note_sender();

-- What is there already: a membership that began after somebody joined the Room is not the one that they joined it with.
alter table memberships no force row level security;
alter table room_participants no force row level security;
alter table team_invitations no force row level security;
update room_participants p set membership_id = m.id from memberships m
where m.workspace_id = p.workspace_id and m.user_id = p.user_id and m.status = 'active'
  and p.status = 'active' and not p.as_guest and m.joined_at <= p.updated_at;
update room_participants p set sent_as = coalesce(
  (select m.id from memberships m
   where m.workspace_id = p.workspace_id and m.user_id = p.invited_by and m.status = 'active' and m.joined_at <= p.updated_at),
  (select g.id from room_participants g
   where g.workspace_id = p.workspace_id and g.room_id = p.room_id and g.user_id = p.invited_by and g.status = 'active' and g.as_guest))
where p.status = 'pending';
update team_invitations i set sent_as = m.id from memberships m
where m.workspace_id = i.workspace_id and m.user_id = i.invited_by and m.status = 'active' and m.joined_at <= i.updated_at
  and i.status = 'pending';
alter table memberships force row level security;
alter table room_participants force row level security;
alter table team_invitations force row level security;
