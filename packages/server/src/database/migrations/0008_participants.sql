-- Participants whose time is over are written down as such once another invitation takes their place.
alter table room_participants
  drop constraint room_participants_status_check,
  add constraint room_participants_status_check
    check (status in ('pending', 'active', 'revoked', 'declined', 'left', 'expired'));

-- Who holds a token does not say which Room it is of, and need not be signed in to look at what it is for. The function
-- shows one invitation to whoever has the digest of its token, which nobody can guess, and nothing else.
create policy token_lookup on room_participants for select to svc_owner using (true);
create policy token_lookup on rooms for select to svc_owner using (true);
create function find_room_invitation(digest bytea)
  returns table (workspace_id uuid, room_id text, participant_id uuid, workspace_name text, room_title text, inviter_name text,
                 email text, email_key text, access_level svc.access_level, status text, expires_at timestamptz)
  language sql stable security definer set search_path = svc
as $$
  select p.workspace_id, p.room_id, p.id, w.name, r.title, u.name, p.email, p.email_key, p.access_level,
         case when p.user_id is not null and p.status <> 'revoked' then 'accepted'
              when p.status = 'pending' and least(p.invited_until, p.expires_at) <= now() then 'expired'
              else p.status end,
         least(p.invited_until, p.expires_at)
  from svc.room_participants p
  join svc.rooms r on r.workspace_id = p.workspace_id and r.id = p.room_id
  join svc.workspaces w on w.id = p.workspace_id
  left join svc.users u on u.id = p.invited_by
  where p.token_digest = digest
$$;

-- A person sees where they take part, in every Workspace at once; and as a guest, the receipt of their own answer to the
-- invitation, which is given outside any Workspace.
create policy own_participation on room_participants for select using (user_id = (select current_caller()));
drop policy own_receipts on receipts;
create policy own_receipts on receipts for select using (
  command_id in (select c.command_id from commands c where c.scope_id = (select current_caller()))
  and (
    workspace_id in (select m.workspace_id from memberships m where m.user_id = (select current_caller()) and m.status = 'active')
    or workspace_id in (
      select p.workspace_id from room_participants p
      where p.user_id = (select current_caller()) and p.status = 'active' and p.as_guest and (p.expires_at is null or p.expires_at > now())
    )
  )
);
