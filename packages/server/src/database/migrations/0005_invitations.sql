-- Invitations into the team of a Workspace. That one is expired is not written down: it is pending, and its time is over.
create table team_invitations (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  email text not null,
  -- What two spellings of one address have in common.
  email_key text collate "C" not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'revoked')),
  -- SHA-256 of the token in the last mail. The token itself is made anew from the service's secret and the number.
  token_digest bytea not null unique check (octet_length(token_digest) = 32),
  token_number integer not null default 1,
  invited_by uuid not null references users,
  expires_at timestamptz(3) not null,
  accepted_by uuid references users,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  check ((accepted_by is not null) = (status = 'accepted'))
);
create unique index team_invitations_one_pending on team_invitations (workspace_id, email_key) where status = 'pending';

alter table team_invitations enable row level security;
alter table team_invitations force row level security;
create policy within_workspace on team_invitations using (workspace_id = (select current_workspace()));

-- Who holds a token does not say which Workspace it is of, and need not be signed in to look at what it is for. The
-- function shows one invitation to whoever has the digest of its token, which nobody can guess, and nothing else.
create policy token_lookup on team_invitations for select to svc_owner using (true);
create policy token_lookup on workspaces for select to svc_owner using (true);
create function find_team_invitation(digest bytea)
  returns table (workspace_id uuid, id uuid, workspace_name text, inviter_name text, email text, email_key text,
                 role text, status text, expires_at timestamptz)
  language sql stable security definer set search_path = svc
as $$
  select i.workspace_id, i.id, w.name, u.name, i.email, i.email_key, i.role,
         case when i.status = 'pending' and i.expires_at <= now() then 'expired' else i.status end, i.expires_at
  from svc.team_invitations i join svc.workspaces w on w.id = i.workspace_id join svc.users u on u.id = i.invited_by
  where i.token_digest = digest
$$;

grant select on team_invitations to svc_reader, svc_writer;
grant insert, update on team_invitations to svc_writer;
