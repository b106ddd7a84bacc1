-- Rooms: who can open them, what they point at. Below full access stands edit, below that view: the order of the type.
create type access_level as enum ('view', 'edit', 'full_access');

create table rooms (
  workspace_id uuid not null references workspaces,
  id text collate "C" not null,
  business_id text collate "C" references businesses,
  parent_id text collate "C",
  title text not null check (char_length(title) between 1 and 200),
  purpose text check (char_length(purpose) between 1 and 2000),
  status text not null default 'active' check (status in ('active', 'archived')),
  general_access text not null check (general_access in ('invited_only', 'business', 'workspace')),
  general_access_level access_level check (general_access_level < 'full_access'),
  participant_visibility text not null default 'everyone' check (participant_visibility in ('everyone', 'managers')),
  revision integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  -- A sub-room's parent is none: were it for the code alone to see to it, two at once could make a third level.
  is_root boolean not null generated always as (parent_id is null) stored,
  parent_is_root boolean generated always as (case when parent_id is not null then true end) stored,
  primary key (workspace_id, id),
  unique (workspace_id, id, is_root),
  foreign key (workspace_id, parent_id, parent_is_root) references rooms (workspace_id, id, is_root),
  check ((general_access = 'invited_only') = (general_access_level is null)),
  check (general_access <> 'business' or business_id is not null),
  check (parent_id is null or general_access = 'invited_only'),
  check ((status = 'archived') = (archived_at is not null))
);
create index rooms_of_parent on rooms (workspace_id, parent_id) where parent_id is not null;
create index rooms_of_business on rooms (workspace_id, business_id) where business_id is not null;

create table room_attachments (
  workspace_id uuid not null,
  room_id text collate "C" not null,
  id uuid not null,
  type text not null check (type in ('business', 'list')),
  resource_id text collate "C" not null,
  attached_by uuid not null references users,
  attached_at timestamptz(3) not null,
  primary key (workspace_id, room_id, id),
  unique (workspace_id, room_id, type, resource_id),
  foreign key (workspace_id, room_id) references rooms
);

-- One row each that somebody is in a Room, or invited to it. Who is invited has no user yet; expiry needs no write: what
-- has expired counts as such from then on.
create table room_participants (
  workspace_id uuid not null,
  room_id text collate "C" not null,
  id uuid not null,
  user_id uuid references users,
  email text,
  -- How addresses compare: lower case, and the domain in ASCII.
  email_key text collate "C",
  access_level access_level not null,
  status text not null check (status in ('pending', 'active', 'revoked', 'declined', 'left')),
  can_download boolean not null default true,
  -- Whether they came from outside the Workspace. Who came as a member has no Room left when the membership ends.
  as_guest boolean,
  message text check (char_length(message) between 1 and 2000),
  token_digest bytea unique check (octet_length(token_digest) = 32),
  token_number integer not null default 0,
  invited_by uuid references users,
  invited_until timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, room_id, id),
  foreign key (workspace_id, room_id) references rooms,
  check (status <> 'active' or (user_id is not null and as_guest is not null)),
  check (status <> 'pending' or (email_key is not null and token_digest is not null and invited_until is not null))
);
create unique index room_participants_one_person on room_participants (workspace_id, room_id, user_id) where status = 'active';
create unique index room_participants_one_address on room_participants (workspace_id, room_id, email_key) where status = 'pending';
-- Whether somebody takes part in a Room is asked of every Room that is looked at. With the Room in it, this index answers
-- that as well as where somebody takes part at all; without, it could be chosen for it all the same, and goes through
-- every Room of theirs each time.
create index room_participants_of_person on room_participants (user_id, workspace_id, room_id) where status = 'active';

-- The feed of a Room, newest first and on from a position.
create index events_of_room on events (workspace_id, room_id, position) where room_id is not null;

alter table rooms enable row level security;
alter table rooms force row level security;
alter table room_attachments enable row level security;
alter table room_attachments force row level security;
alter table room_participants enable row level security;
alter table room_participants force row level security;
create policy within_workspace on rooms using (workspace_id = (select current_workspace()));
create policy within_workspace on room_attachments using (workspace_id = (select current_workspace()));
create policy within_workspace on room_participants using (workspace_id = (select current_workspace()));

grant select on rooms, room_attachments, room_participants to svc_reader, svc_writer;
grant insert, update on rooms, room_participants to svc_writer;
grant insert, delete on room_attachments to svc_writer;
