-- Runs with versions from 0019 on.
-- Files, their versions and uploads, and Files in Rooms. The content of a version is in the blob store, under the Workspace and
-- sha256; a row names it only once it is stored durably.

create table files (
  workspace_id uuid not null references workspaces,
  id text collate "C" not null,
  business_id text collate "C" references businesses,
  name text not null check (char_length(name) between 1 and 255),
  description text check (char_length(description) between 1 and 10000),
  classification text not null,
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  origin text not null,
  lifecycle text not null default 'active' check (lifecycle in ('active', 'archived')),
  current_version_id text collate "C" not null,
  revision integer not null default 1,
  created_by uuid not null references users,
  -- The membership with which the creator made it: their full access ends with it. Null for a guest, who has only the Room's.
  membership_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, membership_id) references memberships,
  check ((lifecycle = 'archived') = (archived_at is not null))
);
create index files_of_membership on files (workspace_id, membership_id, id) where membership_id is not null;
create index files_of_businesses on files (workspace_id, id) where business_id is not null;
create index files_of_business on files (workspace_id, business_id, id) where business_id is not null;

create table file_versions (
  workspace_id uuid not null,
  id text collate "C" not null,
  file_id text collate "C" not null,
  number integer not null,
  content_type text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  -- What the client announced, and what is stored. The second is null until the content is in the blob store.
  declared_sha256 text collate "C" check (declared_sha256 ~ '^[0-9a-f]{64}$'),
  sha256 text collate "C" check (sha256 ~ '^[0-9a-f]{64}$'),
  processing_status text not null check (processing_status in ('pending_upload', 'processing', 'ready', 'failed')),
  processing_error text,
  -- Whether pages of it are read as text: a text type, and valid UTF-8. Decided once.
  is_text boolean not null default false,
  summary text,
  text_status text not null default 'none' check (text_status in ('pending', 'ready', 'none', 'failed')),
  page_count integer not null default 0,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  ready_at timestamptz(3),
  primary key (workspace_id, id),
  unique (workspace_id, file_id, number),
  foreign key (workspace_id, file_id) references files,
  check (processing_status not in ('processing', 'ready') or sha256 is not null),
  check ((processing_status = 'failed') = (processing_error is not null)),
  check ((processing_status = 'ready') = (ready_at is not null))
);
create index file_versions_of_content on file_versions (workspace_id, sha256) where sha256 is not null;
-- A File and its first version name each other, so one of the two is checked at the end of the transaction.
alter table files add foreign key (workspace_id, current_version_id) references file_versions deferrable initially deferred;

create table file_pages (
  workspace_id uuid not null,
  file_version_id text collate "C" not null,
  page integer not null,
  text text not null,
  primary key (workspace_id, file_version_id, page),
  foreign key (workspace_id, file_version_id) references file_versions
);

create table file_uploads (
  workspace_id uuid not null,
  id text collate "C" not null,
  file_id text collate "C" not null,
  file_version_id text collate "C" not null,
  size_bytes bigint not null,
  part_size_bytes integer not null,
  part_count integer not null,
  -- The blob store's own name of the upload.
  reference text not null,
  status text not null default 'open' check (status in ('open', 'completed', 'aborted', 'expired')),
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, file_id) references files,
  foreign key (workspace_id, file_version_id) references file_versions,
  check ((status = 'open') = (ended_at is null))
);
create index file_uploads_of_person on file_uploads (workspace_id, created_by, id);
-- How many uploads of a person are open is counted before each new one.
create index file_uploads_open on file_uploads (workspace_id, created_by) where status = 'open';
create index file_uploads_of_file on file_uploads (workspace_id, file_id, id);

create table room_files (
  workspace_id uuid not null,
  id text collate "C" not null,
  room_id text collate "C" not null,
  file_id text collate "C" not null,
  index_path text collate "C" not null check (char_length(index_path) between 1 and 1000),
  display_name text check (char_length(display_name) between 1 and 255),
  access_mode text not null default 'inherit_room' check (access_mode in ('inherit_room', 'restricted')),
  status text not null check (status in ('pending', 'active', 'archived')),
  revision integer not null default 1,
  attached_by uuid not null references users,
  attached_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, room_id) references rooms,
  foreign key (workspace_id, file_id) references files,
  check ((status = 'archived') = (archived_at is not null))
);
create unique index room_files_once on room_files (workspace_id, file_id, room_id) where status <> 'archived';
-- A page of a Room's Files is read in their order: all of them, those that everybody in the Room can open, or the archived ones.
create index room_files_in_order on room_files (workspace_id, room_id, index_path, id) where status <> 'archived';
create index room_files_of_everybody on room_files (workspace_id, room_id, index_path, id)
  where status <> 'archived' and access_mode = 'inherit_room';
create index room_files_archived on room_files (workspace_id, room_id, index_path, id) where status = 'archived';
-- The Files of a Room by their ids, with those that left it.
create index room_files_by_file on room_files (workspace_id, room_id, file_id);
-- Whether a Room has restricted Files, whose events not everybody may see. Most Rooms have none.
create index room_files_restricted on room_files (workspace_id, room_id, file_id) where access_mode = 'restricted';

create table room_file_permissions (
  workspace_id uuid not null,
  id uuid not null,
  room_file_id text collate "C" not null,
  room_id text collate "C" not null,
  -- As in room_files, so that one index has the Files that a user was given, in the order of the Room.
  index_path text collate "C" not null,
  user_id uuid not null references users,
  access_level access_level not null,
  status text not null default 'active' check (status in ('active', 'revoked')),
  -- By what the user could open the Room: the permission ends with it, and does not come back with another one.
  participant_id uuid,
  membership_id uuid,
  granted_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, room_file_id) references room_files,
  foreign key (workspace_id, membership_id) references memberships,
  check (participant_id is not null or membership_id is not null)
);
create unique index room_file_permissions_once on room_file_permissions (workspace_id, room_file_id, user_id) where status = 'active';
create index room_file_permissions_of_user on room_file_permissions (workspace_id, user_id, room_id, index_path, room_file_id)
  where status = 'active';

-- A link to download is a signed token; what is kept is only that it was used.
create table used_download_links (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  used_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index used_download_links_by_age on used_download_links (workspace_id, used_at);

alter table files enable row level security;
alter table files force row level security;
alter table file_versions enable row level security;
alter table file_versions force row level security;
alter table file_pages enable row level security;
alter table file_pages force row level security;
alter table file_uploads enable row level security;
alter table file_uploads force row level security;
alter table room_files enable row level security;
alter table room_files force row level security;
alter table room_file_permissions enable row level security;
alter table room_file_permissions force row level security;
alter table used_download_links enable row level security;
alter table used_download_links force row level security;
create policy within_workspace on files using (workspace_id = current_workspace());
create policy within_workspace on file_versions using (workspace_id = current_workspace());
create policy within_workspace on file_pages using (workspace_id = current_workspace());
create policy within_workspace on file_uploads using (workspace_id = current_workspace());
create policy within_workspace on room_files using (workspace_id = current_workspace());
create policy within_workspace on room_file_permissions using (workspace_id = current_workspace());
create policy within_workspace on used_download_links using (workspace_id = current_workspace());
create policy owner_reads_all on files for select to svc_owner using (true);
create policy owner_reads_all on file_versions for select to svc_owner using (true);
create policy owner_reads_all on file_pages for select to svc_owner using (true);
create policy owner_reads_all on file_uploads for select to svc_owner using (true);
create policy owner_reads_all on room_files for select to svc_owner using (true);
create policy owner_reads_all on room_file_permissions for select to svc_owner using (true);
create policy owner_reads_all on used_download_links for select to svc_owner using (true);

grant select on files, file_versions, file_pages, file_uploads, room_files, room_file_permissions, used_download_links
  to svc_reader, svc_writer;
grant insert, update on files, file_versions, file_uploads, room_files, room_file_permissions to svc_writer;
grant insert, delete on file_pages to svc_writer;
-- Rows to delete are locked first, which needs the right to update.
grant insert, update, delete on used_download_links to svc_writer;
