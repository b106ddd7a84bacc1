/**
 * The SQL of the floor, written by hand: what changing the title of a Room takes with the guarantees of the service. It
 * shares no statement and no table with the service, so that changes of the service do not move the floor. Its tables
 * have the columns, keys, indexes and foreign keys that such a change uses in the service, but no row-level security,
 * checks or triggers.
 */
export const floorTables = `
create schema floor;
set search_path = floor;
create table workspaces (id uuid primary key, status text not null default 'active');
create table memberships (
  workspace_id uuid not null references workspaces, id uuid not null default gen_random_uuid(), user_id uuid not null,
  role text not null default 'owner', status text not null default 'active', permissions jsonb not null default '{}',
  primary key (workspace_id, id)
);
create unique index memberships_one_standing on memberships (workspace_id, user_id) where status <> 'removed';
create table rooms (
  workspace_id uuid not null references workspaces, id text collate "C" not null, parent_id text collate "C", title text not null,
  purpose text, status text not null default 'active', general_access text not null default 'invited_only',
  general_access_level text, participant_visibility text not null default 'everyone', revision integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(), archived_at timestamptz(3),
  primary key (workspace_id, id)
);
create index rooms_of_parent on rooms (workspace_id, parent_id) where parent_id is not null;
create table room_participants (
  workspace_id uuid not null, room_id text collate "C" not null, id uuid not null default gen_random_uuid(), user_id uuid not null,
  access_level text not null default 'full_access', status text not null default 'active',
  primary key (workspace_id, room_id, id), foreign key (workspace_id, room_id) references rooms
);
create unique index room_participants_one_person on room_participants (workspace_id, room_id, user_id) where status = 'active';
create table commands (
  scope_id uuid not null, principal text collate "C" not null, idempotency_key text collate "C" not null, command_id uuid not null,
  operation text not null, fingerprint bytea not null, request_id text not null, status smallint, answer text,
  receipt_workspace_id uuid, created_at timestamptz(3) not null default now(), expires_at timestamptz(3),
  primary key (scope_id, principal, idempotency_key)
);
create index commands_expiring on commands (expires_at) where expires_at is not null;
create table receipts (
  workspace_id uuid not null references workspaces, receipt_id uuid not null, command_id uuid not null, operation text not null,
  actor jsonb not null, resource_type text not null, resource_id text not null, changed text[] not null, occurred_at timestamptz(3) not null,
  primary key (workspace_id, receipt_id), unique (workspace_id, command_id)
);
create table feed_positions (workspace_id uuid primary key references workspaces, last_position bigint not null default 0);
create table events (
  workspace_id uuid not null references workspaces, position bigint not null, id text collate "C" not null, type text not null,
  feed text not null, occurred_at timestamptz(3) not null, actor jsonb not null, subject jsonb not null, about jsonb,
  room_id text collate "C", data jsonb not null, command_id uuid not null, ordinal integer not null,
  primary key (workspace_id, position), unique (workspace_id, id), unique (workspace_id, command_id, ordinal)
);
create index events_of_room on events (workspace_id, room_id, position) where room_id is not null;
`

/**
 * The statements of a change, in order: all but the last in one round trip with BEGIN, the last in another with COMMIT.
 * Statements after the advisory lock see what was committed before it was granted.
 */
export const floorStatements = {
  claim: `
      insert into floor.commands (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, expires_at)
      values (:workspace, :principal, :key, :command, 'update_room', :fingerprint, 'req_01M8137E2GNVR3X301FTD6N4RH', now() + interval '30 days')
      on conflict (scope_id, principal, idempotency_key) do nothing`,
  lock: `
      select pg_advisory_xact_lock_shared(hashtextextended('member ' || :workspace || :user, 0))`,
  standing: `
      select m.role, m.permissions, w.status from floor.memberships m join floor.workspaces w on w.id = m.workspace_id
      where m.workspace_id = :workspace and m.user_id = :user and m.status = 'active'`,
  room: `
      select r.title, r.purpose, r.status, r.general_access, r.general_access_level, r.participant_visibility, r.revision,
        r.created_at, r.updated_at, r.archived_at,
        (select p.access_level from floor.room_participants p
         where p.workspace_id = r.workspace_id and p.room_id = r.id and p.user_id = :user and p.status = 'active') as access_level,
        (select count(*)::int from floor.rooms s where s.workspace_id = r.workspace_id and s.parent_id = r.id) as sub_room_count
      from floor.rooms r where r.workspace_id = :workspace and r.id = :room for no key update of r`,
  settle: `
      with saved as (
        update floor.rooms set title = :title, revision = revision + 1, updated_at = :now where workspace_id = :workspace and id = :room
      ), receipt as (
        insert into floor.receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, changed, occurred_at)
        values (:workspace, :receipt, :command, 'update_room', :actor, 'room', :room, '{title}', :now)
      ), answered as (
        update floor.commands set status = 200, answer = :answer, receipt_workspace_id = :workspace
        where scope_id = :workspace and principal = :principal and idempotency_key = :key
      ), counter as (
        update floor.feed_positions set last_position = last_position + 1 where workspace_id = :workspace returning last_position
      )
      insert into floor.events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, data, command_id, ordinal)
      select :workspace, last_position, :event, 'room.updated', 'activity', :now, :actor,
        jsonb_build_object('type', 'room', 'id', :room::text, 'name', :title::text), :room, '{"changed": ["title"]}', :command, 0
      from counter`,
}

/** A statement for a driver: with numbered parameters, and their names in that order. */
export function numbered(text: string): { text: string; names: string[] } {
  const names: string[] = []
  const place = (_: string, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  }
  return { text: text.replaceAll(parameter, place), names }
}

/** The statement with other text in place of each parameter. */
export const filled = (text: string, values: Record<string, string>): string =>
  text.replaceAll(parameter, (whole, name: string) => values[name] ?? whole)

// Neither a cast (`::`) nor a colon after a letter, as in JSON.
const parameter = /(?<![:\w"]):([a-z]\w*)/g
