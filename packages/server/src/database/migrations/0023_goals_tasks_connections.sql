-- Runs with versions from 0022 on.
-- Goals, Tasks with their evidence and comments, shared connections of Rooms, and approvals of what is done through them.

create table goals (
  workspace_id uuid not null references workspaces,
  id text collate "C" not null,
  -- Null: the Goal belongs to the Workspace, and its members see it.
  room_id text collate "C",
  business_id text collate "C" references businesses,
  title text not null check (char_length(title) between 1 and 200),
  description text check (char_length(description) between 1 and 10000),
  status text not null default 'active' check (status in ('active', 'completed', 'canceled')),
  accountable_user_id uuid references users,
  due_at timestamptz(3),
  -- The metric as the Goal's author gave it; the number of members of a List is read from the List.
  metric jsonb,
  terminal_reason text check (char_length(terminal_reason) between 1 and 2000),
  completed_at timestamptz(3),
  canceled_at timestamptz(3),
  created_by uuid not null references users,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, room_id) references rooms,
  check ((status = 'active') = (terminal_reason is null)),
  check ((status = 'completed') = (completed_at is not null)),
  check ((status = 'canceled') = (canceled_at is not null))
);
create index goals_without_room on goals (workspace_id, id) where room_id is null;
create index goals_of_room on goals (workspace_id, room_id, id) where room_id is not null;
create index goals_of_business on goals (workspace_id, business_id, id) where business_id is not null;
create index goals_of_accountable on goals (workspace_id, accountable_user_id, id) where accountable_user_id is not null;

create table tasks (
  workspace_id uuid not null references workspaces,
  id text collate "C" not null,
  -- Null: the Task belongs to the Workspace, and its members see it.
  room_id text collate "C",
  business_id text collate "C" references businesses,
  goal_id text collate "C",
  title text not null check (char_length(title) between 1 and 200),
  description text check (char_length(description) between 1 and 10000),
  section text check (char_length(section) between 1 and 200),
  kind text not null check (kind in ('task', 'question', 'evidence_request')),
  status text not null default 'open' check (status in ('open', 'in_progress', 'blocked', 'done', 'canceled')),
  priority text not null default 'none' check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  assignee_user_id uuid references users,
  requires_evidence boolean not null default false,
  due_at timestamptz(3),
  terminal_reason text check (char_length(terminal_reason) between 1 and 2000),
  completed_at timestamptz(3),
  canceled_at timestamptz(3),
  created_by uuid not null references users,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, room_id) references rooms,
  foreign key (workspace_id, goal_id) references goals,
  check (kind <> 'evidence_request' or requires_evidence),
  check ((status = 'done') = (completed_at is not null)),
  check ((status = 'canceled') = (canceled_at is not null))
);
create index tasks_without_room on tasks (workspace_id, id) where room_id is null;
create index tasks_of_room on tasks (workspace_id, room_id, id) where room_id is not null;
-- The lists of those of a Business, a Goal or an assignee start from all of them, or from those in the reader's Rooms.
create index tasks_of_business on tasks (workspace_id, business_id, id) where business_id is not null;
create index tasks_of_business_in_room on tasks (workspace_id, room_id, business_id, id) where business_id is not null;
create index tasks_of_goal on tasks (workspace_id, goal_id, id) where goal_id is not null;
create index tasks_of_goal_in_room on tasks (workspace_id, room_id, goal_id, id) where goal_id is not null;
create index tasks_of_assignee on tasks (workspace_id, assignee_user_id, id) where assignee_user_id is not null;
create index tasks_of_assignee_in_room on tasks (workspace_id, room_id, assignee_user_id, id) where assignee_user_id is not null;
-- Those that are still to be done, which are few among many finished ones.
create index tasks_to_do on tasks (workspace_id, id) where status in ('open', 'in_progress', 'blocked');
create index tasks_to_do_in_room on tasks (workspace_id, room_id, id) where status in ('open', 'in_progress', 'blocked');
create index tasks_to_do_of_assignee on tasks (workspace_id, assignee_user_id, id)
  where assignee_user_id is not null and status in ('open', 'in_progress', 'blocked');

create table task_evidence (
  workspace_id uuid not null,
  task_id text collate "C" not null,
  file_id text collate "C" not null,
  added_by uuid not null references users,
  added_at timestamptz(3) not null,
  -- Two guests who do not see each other can add the same File, and neither learns it.
  primary key (workspace_id, task_id, file_id, added_by),
  foreign key (workspace_id, task_id) references tasks,
  foreign key (workspace_id, file_id) references files
);

create table task_comments (
  workspace_id uuid not null,
  task_id text collate "C" not null,
  id uuid not null,
  text text not null check (char_length(text) between 1 and 10000),
  file_ids text[] not null default '{}' check (cardinality(file_ids) <= 50),
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  primary key (workspace_id, task_id, id),
  foreign key (workspace_id, task_id) references tasks
);

create table room_connections (
  workspace_id uuid not null,
  id uuid not null,
  room_id text collate "C" not null,
  kind text not null check (kind in ('app', 'agent', 'source')),
  plugin text not null,
  origin text not null,
  label text not null check (char_length(label) between 1 and 100),
  config jsonb not null,
  allowed_operations text[] not null check (cardinality(allowed_operations) between 1 and 50),
  requires_approval text[] not null default '{}',
  status text not null default 'live' check (status in ('live', 'paused', 'stopped', 'error')),
  shared_by uuid not null references users,
  -- The membership with which it was shared and, if the sharer was a participant of the Room, their participation: it ends
  -- with them.
  membership_id uuid not null,
  participant_id uuid,
  shared_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  unique (workspace_id, room_id, id),
  foreign key (workspace_id, room_id) references rooms,
  foreign key (workspace_id, membership_id) references memberships,
  check (requires_approval <@ allowed_operations)
);
create index room_connections_of_sharer on room_connections (workspace_id, shared_by, room_id) where status <> 'stopped';

create table approvals (
  workspace_id uuid not null,
  id text collate "C" not null,
  room_id text collate "C" not null,
  connection_id uuid not null,
  requested_by uuid not null references users,
  -- By what the requester could open the Room; nothing is executed for them after it has ended. And the API key, if it was one.
  requester_membership_id uuid,
  requester_participant_id uuid,
  requester_key_id uuid,
  asked_of_user_id uuid not null references users,
  operation text not null,
  summary text not null,
  note text check (char_length(note) between 1 and 2000),
  -- The canonical JSON of RFC 8785, byte for byte as it was hashed, which jsonb would not keep.
  arguments text not null,
  arguments_sha256 text collate "C" not null check (arguments_sha256 ~ '^[0-9a-f]{64}$'),
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'declined', 'canceled', 'expired', 'executed', 'failed')),
  held_for text check (held_for in ('resume')),
  expires_at timestamptz(3) not null,
  decided_by uuid references users,
  decided_at timestamptz(3),
  decision_note text check (char_length(decision_note) between 1 and 2000),
  -- When the action was about to be sent. It is never sent again after that.
  sent_at timestamptz(3),
  -- As it was written, which jsonb would not keep: there a number such as 1e308 takes 309 digits.
  result json,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, room_id, connection_id) references room_connections (workspace_id, room_id, id),
  check (held_for is null or status = 'approved'),
  check (status not in ('executed', 'failed') or (sent_at is not null and result is not null))
);
create index approvals_of_room on approvals (workspace_id, room_id, id);
create index approvals_asked_of on approvals (workspace_id, asked_of_user_id, id);
create index approvals_waiting on approvals (workspace_id, connection_id, id) where status in ('pending', 'approved');
create index approvals_open on approvals (workspace_id, room_id, expires_at)
  where status = 'pending' or status = 'approved' and sent_at is null;

alter table goals enable row level security;
alter table goals force row level security;
create policy within_workspace on goals using (workspace_id = current_workspace());
create policy owner_reads_all on goals for select to svc_owner using (true);
grant select on goals to svc_reader, svc_writer;
grant insert, update on goals to svc_writer;

alter table tasks enable row level security;
alter table tasks force row level security;
create policy within_workspace on tasks using (workspace_id = current_workspace());
create policy owner_reads_all on tasks for select to svc_owner using (true);
grant select on tasks to svc_reader, svc_writer;
grant insert, update on tasks to svc_writer;

alter table task_evidence enable row level security;
alter table task_evidence force row level security;
create policy within_workspace on task_evidence using (workspace_id = current_workspace());
create policy owner_reads_all on task_evidence for select to svc_owner using (true);
grant select on task_evidence to svc_reader, svc_writer;
grant insert on task_evidence to svc_writer;

alter table task_comments enable row level security;
alter table task_comments force row level security;
create policy within_workspace on task_comments using (workspace_id = current_workspace());
create policy owner_reads_all on task_comments for select to svc_owner using (true);
grant select on task_comments to svc_reader, svc_writer;
grant insert on task_comments to svc_writer;

alter table room_connections enable row level security;
alter table room_connections force row level security;
create policy within_workspace on room_connections using (workspace_id = current_workspace());
create policy owner_reads_all on room_connections for select to svc_owner using (true);
grant select on room_connections to svc_reader, svc_writer;
grant insert, update on room_connections to svc_writer;

alter table approvals enable row level security;
alter table approvals force row level security;
create policy within_workspace on approvals using (workspace_id = current_workspace());
create policy owner_reads_all on approvals for select to svc_owner using (true);
grant select on approvals to svc_reader, svc_writer;
grant insert, update on approvals to svc_writer;
