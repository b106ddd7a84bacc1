/**
 * The tables and statements of the floor, written by hand: what creating a small text File takes with the guarantees of
 * the service, in two round trips. They share nothing with the service. The tables have the columns, keys, indexes and
 * foreign keys that such a change uses in the service, without row-level security, checks and triggers; `floor.workspaces`,
 * `floor.memberships`, `floor.commands` and `floor.receipts` are those of the floor of `mutations`.
 */
export const textsTables = `
create table floor.files (
  workspace_id uuid not null references floor.workspaces, id text collate "C" not null, business_id text collate "C", name text not null,
  description text, classification text not null, tags text[] not null default '{}', origin text not null,
  lifecycle text not null default 'active', current_version_id text collate "C" not null, revision integer not null default 1,
  created_by uuid not null, membership_id uuid, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
  archived_at timestamptz(3), primary key (workspace_id, id), foreign key (workspace_id, membership_id) references floor.memberships
);
create index on floor.files (workspace_id, membership_id, id) where membership_id is not null;
create index on floor.files (workspace_id, business_id, id) where business_id is not null;
create table floor.file_versions (
  workspace_id uuid not null, id text collate "C" not null, file_id text collate "C" not null, number integer not null,
  content_type text not null, size_bytes bigint not null, sha256 text collate "C", processing_status text not null,
  is_text boolean not null, created_by uuid not null, created_at timestamptz(3) not null, ready_at timestamptz(3),
  primary key (workspace_id, id), unique (workspace_id, file_id, number), foreign key (workspace_id, file_id) references floor.files
);
create index on floor.file_versions (workspace_id, sha256) where sha256 is not null;
alter table floor.files add foreign key (workspace_id, current_version_id) references floor.file_versions deferrable initially deferred;
`

export const textsStatements = {
  claim: `
    insert into floor.commands (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, expires_at)
    values (:workspace, :principal, :key, :command, 'create_text_file', :fingerprint, 'req_01M8137E2GNVR3X301FTD6N4RH', now() + interval '30 days')
    on conflict (scope_id, principal, idempotency_key) do nothing`,
  locks: `
    select pg_advisory_xact_lock_shared(hashtextextended('member ' || :workspace || :user, 0)),
      pg_advisory_xact_lock_shared(hashtextextended('blob ' || :workspace || :sha256, 0))`,
  standing: `
    select m.id, m.role, m.permissions, w.status from floor.memberships m join floor.workspaces w on w.id = m.workspace_id
    where m.workspace_id = :workspace and m.user_id = :user and m.status = 'active'`,
  settle: `
    with file as (
      insert into floor.files (workspace_id, id, name, classification, origin, current_version_id, created_by, membership_id, created_at, updated_at)
      values (:workspace, :file, :name, 'other', 'text', :version, :user, :membership, :now, :now)
    ), version as (
      insert into floor.file_versions (workspace_id, id, file_id, number, content_type, size_bytes, sha256, processing_status, is_text, created_by, created_at, ready_at)
      values (:workspace, :version, :file, 1, 'text/markdown', :size, :sha256, 'ready', true, :user, :now, :now)
    ), receipt as (
      insert into floor.receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, changed, occurred_at)
      values (:workspace, :receipt, :command, 'create_text_file', :actor, 'file', :file, '{}', :now)
    )
    update floor.commands set status = 201, answer = :answer, receipt_workspace_id = :workspace
    where scope_id = :workspace and principal = :principal and idempotency_key = :key`,
}
