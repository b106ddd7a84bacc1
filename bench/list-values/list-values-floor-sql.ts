/**
 * The tables and statements of the floor, written by hand: what setting one value of a List takes with the guarantees of
 * the service, in two round trips. They share nothing with the service. The tables have the columns, keys, indexes and
 * foreign keys that such a change uses in the service, without row-level security, checks and triggers; `floor.workspaces`,
 * `floor.memberships`, `floor.commands`, `floor.receipts`, `floor.events` and `floor.feed_positions` are those of the floor
 * of `mutations`. Whether the Business is a member is one statement, written for the rule of the bench.
 */
export const listValuesTables = `
create table floor.published (id text collate "C" primary key, name text not null, state text not null, status text not null);
create table floor.lists (
  workspace_id uuid not null references floor.workspaces, id text collate "C" not null, name text not null, description text,
  rule jsonb not null, version integer not null default 1, lifecycle_status text not null default 'active',
  members_version integer not null default 1, created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  archived_at timestamptz(3), primary key (workspace_id, id)
);
create table floor.list_columns (
  workspace_id uuid not null, list_id text collate "C" not null, id uuid not null, name text not null, value_type text not null,
  position integer, archived_at timestamptz(3), primary key (workspace_id, id),
  foreign key (workspace_id, list_id) references floor.lists
);
create index on floor.list_columns (workspace_id, list_id, position);
create table floor.list_values (
  workspace_id uuid not null, list_id text collate "C" not null, member_id text collate "C" not null references floor.published,
  column_id uuid not null, text_value text, text_folded text, number_value double precision, boolean_value boolean, date_value date,
  primary key (workspace_id, list_id, member_id, column_id), foreign key (workspace_id, list_id) references floor.lists,
  foreign key (workspace_id, column_id) references floor.list_columns
);
create index on floor.list_values (workspace_id, list_id, column_id, member_id);
create table floor.list_value_changes (
  workspace_id uuid not null, list_id text collate "C" not null, member_id text collate "C" not null, column_id uuid not null,
  version integer not null, value jsonb, actor jsonb not null, written_at timestamptz(3) not null,
  primary key (workspace_id, list_id, member_id, column_id, version), foreign key (workspace_id, list_id) references floor.lists,
  foreign key (workspace_id, column_id) references floor.list_columns
);
`

export const listValuesStatements = {
  claim: `
    insert into floor.commands (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, expires_at)
    values (:workspace, :principal, :key, :command, 'set_list_entry_value', :fingerprint, 'req_01M8137E2GNVR3X301FTD6N4RH', now() + interval '30 days')
    on conflict (scope_id, principal, idempotency_key) do nothing`,
  locks: `
    select pg_advisory_xact_lock_shared(hashtextextended('member ' || :workspace || :user, 0)),
      pg_advisory_xact_lock(hashtextextended('list ' || :workspace || :list, 0))`,
  standing: `
    select m.role, m.permissions, w.status from floor.memberships m join floor.workspaces w on w.id = m.workspace_id
    where m.workspace_id = :workspace and m.user_id = :user and m.status = 'active'`,
  cell: `
    select l.name, l.version, l.lifecycle_status, c.value_type, c.position,
      (select p.name from floor.published p where p.id = :member and p.state = 'OH' and p.status = 'active') as member,
      (select v.number_value from floor.list_values v
       where v.workspace_id = :workspace and v.list_id = :list and v.member_id = :member and v.column_id = :column) as before
    from floor.lists l join floor.list_columns c on c.workspace_id = :workspace and c.list_id = l.id and c.id = :column
    where l.workspace_id = :workspace and l.id = :list`,
  settle: `
    with list as (
      update floor.lists set version = version + 1, updated_at = :now where workspace_id = :workspace and id = :list
    ), saved as (
      insert into floor.list_values (workspace_id, list_id, member_id, column_id, number_value)
      values (:workspace, :list, :member, :column, :value)
      on conflict (workspace_id, list_id, member_id, column_id) do update set number_value = excluded.number_value
    ), change as (
      insert into floor.list_value_changes (workspace_id, list_id, member_id, column_id, version, value, actor, written_at)
      values (:workspace, :list, :member, :column, :version, jsonb_build_object('value_type', 'number', 'value', :value::double precision), :actor, :now)
    ), receipt as (
      insert into floor.receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, changed, occurred_at)
      values (:workspace, :receipt, :command, 'set_list_entry_value', :actor, 'list', :list, '{values}', :now)
    ), answered as (
      update floor.commands set status = 200, answer = :answer, receipt_workspace_id = :workspace
      where scope_id = :workspace and principal = :principal and idempotency_key = :key
    ), counter as (
      update floor.feed_positions set last_position = last_position + 1 where workspace_id = :workspace returning last_position
    )
    insert into floor.events (workspace_id, position, id, type, feed, occurred_at, actor, subject, data, command_id, ordinal)
    select :workspace, last_position, :event, 'list.value_set', 'audit', :now, :actor,
      jsonb_build_object('type', 'list', 'id', :list::text, 'name', :name::text),
      jsonb_build_object('member_id', :member::text, 'column_id', :column::text), :command, 0
    from counter`,
}
