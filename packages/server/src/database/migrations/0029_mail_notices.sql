-- Runs with versions from 0028 on.
-- What people were told, or would have been told, by mail: counted, so that nobody can flood a mailbox, and kept for a day or
-- two. It has ids alone.
create table mail_notices (
  workspace_id uuid not null references workspaces,
  -- The job that mails it: an attempt that is repeated is not counted again.
  job_id uuid not null,
  sender_user_id uuid not null,
  recipient_user_id uuid not null,
  -- Null: it is about something that is in no Room.
  room_id text collate "C",
  about text not null check (about in ('task', 'approval')),
  -- How many Tasks or approvals it is about.
  things integer not null check (things > 0),
  -- It was not sent, and waits for the recipient's digest.
  is_held boolean not null,
  -- The job of the digest that took it.
  digest_id uuid,
  noted_at timestamptz(3) not null,
  primary key (workspace_id, job_id)
);
create index mail_notices_by_age on mail_notices (workspace_id, noted_at);
create index mail_notices_of_sender on mail_notices (workspace_id, sender_user_id, noted_at) where not is_held;
create index mail_notices_to_recipient on mail_notices (workspace_id, recipient_user_id, noted_at) where not is_held;
create index mail_notices_held on mail_notices (workspace_id, recipient_user_id, digest_id) where is_held;

alter table mail_notices enable row level security;
alter table mail_notices force row level security;
create policy within_workspace on mail_notices using (workspace_id = current_workspace());
create policy owner_reads_all on mail_notices for select to svc_owner using (true);

grant select on mail_notices to svc_reader, svc_writer;
grant insert, update, delete on mail_notices to svc_writer;
