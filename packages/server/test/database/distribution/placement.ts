/**
 * Where each table is in a distributed PostgreSQL. Tables with the column `workspace_id` are distributed by it; the others
 * are named here.
 */

/** Distributed by another column, which holds the id of a Workspace, or that of a user where there is no Workspace. */
export const distributedBy: Readonly<Record<string, string>> = {
  workspaces: 'id',
  commands: 'scope_id',
}

/** On every machine, because rows of all Workspaces refer to them or are compared with them. */
export const referenceTables: readonly string[] = [
  'users',
  'businesses',
  'business_locations',
  'business_classifications',
  'business_identifiers',
  'business_fact_sources',
  'business_sources',
  'naics_codes',
  'sources',
]

/** Only on the coordinator, each with the reason. */
export const localTables: Readonly<Record<string, string>> = {
  migrations: 'read and written at a start',
  migration_files: 'read and written at a start',
  migration_lock: 'read and written at a start',
  reference_data: 'read and written at a start',
  service_secrets: 'read at a start',
  history_periods: 'read by each change, on its own',
  replication_beat: 'one row, about the coordinator and its replicas',
  published_businesses:
    'partitioned by id, and a partitioned table cannot be a reference table. Lists join it, so its rows go to where the List is',
  rate_limits: 'unlogged counters, of callers and addresses',
  visitor_valuations: 'of people without an account and a Workspace; the claim copies one into a Workspace',
}

/** A foreign key that closes a circle: it is dropped before the tables are distributed, and added again afterwards. */
export const closesCircle = 'files_workspace_id_current_version_id_fkey'

/** Unique indexes without the distribution column, each with the reason. */
export const uniqueAcross: Readonly<Record<string, string>> = {
  api_keys_prefix_key:
    'a key is found by its prefix before its Workspace is known, and prefixes of 48 random bits may repeat',
}

/** Statements on distributed tables without a condition on the Workspace, each with the reason. */
export const statementsAcross: Readonly<Record<string, string>> = {
  workspaces_by_user: 'where somebody belongs, in every Workspace at once',
  memberships_by_user: 'where somebody belongs, in every Workspace at once',
  public_change_unseen: 'whether somebody has changed public facts lately, in any Workspace',
  sources_for_member: 'whether somebody may read provenance in any Workspace at all',
}

/** Functions that read or write rows of several Workspaces, or of one that is not known yet, each with the reason. */
export const functionsAcross: Readonly<Record<string, string>> = {
  find_api_key: 'the Workspace of a key is known once the key is found (old nodes)',
  find_api_key_by_prefix: 'the Workspace of a key is known once the key is found',
  find_team_invitation: 'who opens an invitation names no Workspace',
  find_room_invitation: 'who opens an invitation names no Workspace',
  feed_positions_of: 'one look for all Workspaces whose feeds somebody follows on a node',
  workspaces_with_rooms: 'after an import: whom a change of public facts concerns',
}

/** Triggers on distributed tables: the rows that they read, which must be on the same machine. */
export const triggers: Readonly<Record<string, string>> = {
  commands_settled:
    'reads the receipt of the command, which is on another machine for create_workspace: its scope is a user',
  participation_noted: 'changes the row itself',
  sender_noted: 'changes the row itself',
}
