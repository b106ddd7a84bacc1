import type { ResourceType } from '@wbs/contract/receipts'
import type { Person } from '../../harness/service.ts'
import type { World } from '../world.ts'

/** The resource that a receipt names. */
export interface ReceiptResource {
  workspace_id: string
  type: ResourceType
  id: string
}

type Undo = () => Promise<unknown>
type Hide = (world: World, of: ReceiptResource, caller: Person) => Promise<Undo>

/** Hides the resource of a receipt from a caller. The function that it returns shows it again. */
export const hideResource: Hide = async (world, of, caller) => hideByType[of.type](world, of, caller)

/** How each type of resource is hidden from a caller. A new type needs an entry here. */
const hideByType: Record<ResourceType, Hide> = {
  workspace: removeMember,
  membership: removeMember,
  api_key: removeMember,
  team_invitation: removeMember,
  business: (world, { workspace_id, id }) =>
    hideBy(world, [
      [unlinkSql, workspace_id, id],
      [
        `update businesses set publication_status = case when $1 then 'withdrawn' else 'published' end
         where id = $2 and publication_status in ('published', 'withdrawn')`,
        id,
      ],
    ]),
  business_link: (world, { workspace_id, id }) =>
    hideBy(world, [
      [
        `update workspace_businesses set workspace_id = case when $1 then $4::uuid else $2 end
         where business_id = $3 and workspace_id in ($2, $4)`,
        workspace_id,
        id,
        world.second_workspace_id,
      ],
    ]),
  observation: (world, { workspace_id }) => hideBy(world, [[unlinkSql, workspace_id, world.published_id]]),
  // Whoever has standing and lists:read sees every List.
  list: removeMember,
  list_column: removeMember,
  // Whoever has standing and valuations:read sees these.
  valuation: removeMember,
  portfolio: removeMember,
  asset: removeMember,
  benchmark_set: removeMember,
  room: (world, { workspace_id, id }, caller) => hideRoom(world, workspace_id, id, caller),
  participant: hideRoomOf('room_participants'),
  approval: hideRoomOf('approvals'),
  task: hideRoomOf('tasks'),
  connection: hideRoomOf('room_connections'),
  goal: hideRoomOf('goals'),
  file: (world, { workspace_id, id }, caller) => hideFile(world, workspace_id, id, caller),
  async room_file(world, { workspace_id, id }, caller) {
    const file_id = await idBy(world, 'select file_id as id from room_files where id = $1', id)
    return hideFile(world, workspace_id, String(file_id), caller)
  },
  async room_file_permission(world, { workspace_id, id }, caller) {
    const file_id = await idBy(
      world,
      `select rf.file_id as id from room_file_permissions p join room_files rf on rf.id = p.room_file_id where p.id::text = $1`,
      id,
    )
    return hideFile(world, workspace_id, String(file_id), caller)
  },
}

const unlinkSql = `update workspace_businesses set removed_at = case when $1 then now() end
  where workspace_id = $2 and business_id = $3`

/** Runs statements whose first value is true, and undoes them with false. */
async function hideBy(
  { service }: World,
  statements: readonly [text: string, ...values: unknown[]][],
): Promise<Undo> {
  async function run(isHidden: boolean): Promise<void> {
    for (const [text, ...values] of statements) await service.sql(text, [isHidden, ...values])
  }
  await run(true)
  return () => run(false)
}

async function idBy({ service }: World, text: string, id: string): Promise<string | null> {
  const [row] = await service.sql<{ id: string | null }>(text, [id])
  return row?.id ?? null
}

async function removeMember(world: World, { workspace_id }: ReceiptResource, { user_id }: Person) {
  return hideBy(world, [
    [
      `update memberships set status = case when $1 then 'removed' else 'active' end where workspace_id = $2 and user_id = $3`,
      workspace_id,
      user_id,
    ],
  ])
}

/** What stands in a Room is hidden with it. A Goal may stand in none, and then every member sees it. */
function hideRoomOf(table: string): Hide {
  return async (world, of, caller) => {
    const room_id = await idBy(world, `select room_id as id from ${table} where id::text = $1`, of.id)
    return room_id === null
      ? removeMember(world, of, caller)
      : hideRoom(world, of.workspace_id, room_id, caller)
  }
}

async function hideRoom(world: World, workspace_id: string, room_id: string, { user_id }: Person) {
  return hideBy(world, [
    [
      `update room_participants set status = case when $1 then 'revoked' else 'active' end
       where workspace_id = $2 and room_id = $3 and user_id = $4`,
      workspace_id,
      room_id,
      user_id,
    ],
    [
      `update rooms set general_access = case when $1 then 'invited_only' else 'workspace' end,
         general_access_level = case when $1 then null else 'edit' end::access_level
       where workspace_id = $2 and id = $3`,
      workspace_id,
      room_id,
    ],
  ])
}

/** A File is seen by who created it, and in its Rooms. */
async function hideFile(world: World, workspace_id: string, file_id: string, caller: Person) {
  const rooms = await world.service.sql('select room_id from room_files where file_id = $1', [file_id])
  const shown = [
    await hideBy(world, [
      [
        `update files set membership_id = case when not $1 then (
           select m.id from memberships m where m.workspace_id = $2 and m.user_id = files.created_by and m.status = 'active') end
         where workspace_id = $2 and id = $3`,
        workspace_id,
        file_id,
      ],
    ]),
  ]
  for (const { room_id } of rooms) shown.push(await hideRoom(world, workspace_id, String(room_id), caller))
  return () => Promise.all(shown.map(show => show()))
}
