import pg from 'pg'
import { floorTables } from './mutations-floor-sql.ts'

type Floor = 'node' | 'pgbench'

/** The id of the Workspace of the `i`th Room. Each floor has ids of its own. */
export const floorWorkspace = (floor: Floor, workspaces: number, i: number) =>
  (floor === 'node' ? 10_000 : 20_000) + workspaces * 100 + (i % workspaces)

export const floorRoom = (floor: Floor, workspaces: number, i: number) => ({
  workspace_id: String(floorWorkspace(floor, workspaces, i)).padStart(32, '0'),
  room_id: `rom_${String(i).padStart(26, '0')}`,
})

/** Creates the tables of the floors, and a Room for each connection: once in as many Workspaces, and once in one. */
export async function makeFloor(
  address: pg.ClientConfig,
  user_id: string,
  connections: number,
): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query(floorTables)
  for (const floor of ['node', 'pgbench'] as const)
    for (const workspaces of [connections, 1])
      for (let i = 0; i < connections; i++) {
        const { workspace_id, room_id } = floorRoom(floor, workspaces, i)
        await client.query(insertWorkspace, [workspace_id])
        await client.query(insertMember, [workspace_id, user_id])
        await client.query(insertRoom, [workspace_id, room_id, user_id])
      }
  await client.end()
}

const insertWorkspace = `
  with workspace as (insert into floor.workspaces (id) values ($1) on conflict do nothing)
  insert into floor.feed_positions (workspace_id) values ($1) on conflict do nothing`
const insertMember = `
  insert into floor.memberships (workspace_id, user_id) values ($1, $2) on conflict do nothing`
const insertRoom = `
  with room as (insert into floor.rooms (workspace_id, id, title) values ($1, $2, 'A Room'))
  insert into floor.room_participants (workspace_id, room_id, user_id) values ($1, $2, $3)`

/** Throws unless every change of the floors left all of its rows: a statement that finds no row is fast as well. */
export async function requireWholeChanges(address: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query<{ left: (string | null)[] }>(countChanges)
  await client.end()
  const left = rows[0]?.left ?? []
  if (new Set(left).size !== 1 || left[0] === '0')
    throw new Error(`The changes of the floors left different numbers of things: ${left.join(', ')}.`)
}

const countChanges = `
  select array[
    (select count(*) from floor.commands where status = 200), (select count(*) from floor.receipts),
    (select count(*) from floor.events), (select sum(revision - 1) from floor.rooms), (select sum(last_position) from floor.feed_positions)
  ] as left`
