import type { RivalWorld } from './rival-world.ts'

/** The ids of everything in the Workspace, by the name of the parameter that takes them; the newest first. */
export type Pools = Record<string, string[]>

const tables = {
  room_id: 'rooms',
  task_id: 'tasks',
  goal_id: 'goals',
  file_id: 'files',
  room_file_id: 'room_files',
  upload_id: 'file_uploads',
  approval_id: 'approvals',
  participant_id: 'room_participants',
  permission_id: 'room_file_permissions',
  attachment_id: 'room_attachments',
  connection_id: 'room_connections',
  event_id: 'events',
} as const

/** The tables whose rows have revisions, by the parameter of the row. The first that a request names is the one that it changes. */
const revisioned = ['room_file_id', 'file_id', 'task_id', 'approval_id', 'room_id'] as const

const users = ['user_id', 'assignee_user_id', 'accountable_user_id', 'actor', 'about', 'assignee']

export async function readPools({
  service,
  workspace_id,
  rivals,
  manager,
  member,
}: RivalWorld): Promise<Pools> {
  const everybody = [manager, member, ...rivals.map(one => one.person)].map(person => person.user_id)
  const found = await Promise.all(
    Object.entries(tables).map(async ([name, table]) => {
      const order = table === 'events' ? 'position' : 'id'
      const rows = await service.sql<{ id: string }>(
        `select id from ${table} where workspace_id = $1 order by ${order} desc limit 40`,
        [workspace_id],
      )
      return [name, rows.map(row => row.id)] as const
    }),
  )
  const versions = await service.sql<{ id: string }>(
    'select id from file_versions where workspace_id = $1 order by id desc limit 40',
    [workspace_id],
  )
  return {
    ...Object.fromEntries(found),
    file_version_id: versions.map(row => row.id),
    ...Object.fromEntries(users.map(name => [name, everybody])),
    // None of the walk has them.
    business_id: [],
    parent_room_id: [],
    source_connection_id: [],
  }
}

/** What belongs together: the revision of the row that is changed, and the File of a version. */
export async function fitting(
  { service }: RivalWorld,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const fitted = { ...input }
  if (fitted['file_version_id'] && 'file_id' in fitted) {
    const [row] = await service.sql<{ file_id: string }>('select file_id from file_versions where id = $1', [
      fitted['file_version_id'],
    ])
    fitted['file_id'] = row?.file_id
  }
  const changed = revisioned.find(name => typeof fitted[name] === 'string')
  if (changed && 'expected_revision' in fitted) {
    const [row] = await service.sql<{ revision: number }>(
      `select revision from ${tables[changed]} where id = $1`,
      [fitted[changed]],
    )
    fitted['expected_revision'] = row?.revision
  }
  return fitted
}
