/**
 * Which rows belong to a Workspace. They can be moved to another database together: tables with the column `workspace_id` have
 * them; the others are named here.
 */

/** Tables whose rows belong to a Workspace by another column: its id, or that of a user where there is no Workspace. */
export const ownedBy: Readonly<Record<string, string>> = {
  workspaces: 'id',
  commands: 'scope_id',
}

/** The same in every database, because rows of all Workspaces refer to them or are compared with them. */
export const sharedTables: readonly string[] = [
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

/** Tables of one database, which have nothing to move, each with the reason. */
export const ownTables: Readonly<Record<string, string>> = {
  migrations: 'read and written at a start',
  migration_files: 'read and written at a start',
  migration_lock: 'read and written at a start',
  reference_data: 'read and written at a start',
  service_secrets: 'read at a start',
  history_periods: 'read by each change, on its own',
  content_sweep: 'one row, about the blob store of the database',
  replication_beat: 'one row, about the database and its replicas',
  published_businesses: 'follows from the shared tables, by project_businesses()',
  rate_limits: 'unlogged counters, of callers and addresses',
  visitor_valuations: 'of people without an account and a Workspace; the claim copies one into a Workspace',
}

/** Unique indexes over all Workspaces, each with the reason. A row that is moved could meet another one there. */
export const uniqueAcross: Readonly<Record<string, string>> = {
  api_keys_prefix_key:
    'a key is found by its prefix before its Workspace is known, and prefixes of 48 random bits may repeat',
}

/** Statements on rows of Workspaces without a condition on the Workspace, each with the reason. */
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
  rooms_of_caller: 'where somebody takes part, in every Workspace at once',
  find_room_invitation: 'who opens an invitation names no Workspace',
  feed_positions_of: 'one look for all Workspaces whose feeds somebody follows on a node',
  workspaces_with_rooms: 'after an import: whom a change of public facts concerns',
}
