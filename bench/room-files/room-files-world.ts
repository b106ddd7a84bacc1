import { randomUUID } from 'node:crypto'
import { createClient } from '../../packages/sdk/src/index.ts'
import type pg from 'pg'
import type { Viewer } from '../../packages/server/src/rooms/visibility/room-visibility-store.ts'
import { fillWithRooms, idOfRoom } from '../rooms/room-world.ts'
import { fillRoomWithFiles, grantEvenly } from './room-file-world.ts'

export interface Person {
  user_id: string
  access_token: string
}
export type People = Record<'owner' | 'member' | 'newcomer', Person>

/** Somebody in one of the two Workspaces. */
export type Reader = Viewer & Person

/** A Workspace of many Files in Rooms that few can see, and one in which everybody sees many Rooms. */
export interface FilesWorld {
  owner: Reader
  /** Sees the Files of the open Room and `permissions` of those of the restricted one, and of 98 Rooms more. */
  member: Reader
  /** Sees three restricted Files. */
  guest: Reader
  ownerOfOpenRooms: Reader
  open_room_id: string
  restricted_room_id: string
  /** A File that all of `owner`, `member` and `guest` can see. */
  file_id: string
}

export interface Size {
  /** Of the Workspace. */
  files: number
  /** Of each Room of the first Workspace. */
  room_files: number
  permissions: number
  open_rooms: number
}

const openRoom = 1
const restrictedRoom = 2

export async function makeFilesWorld(
  client: pg.Client,
  base_url: string,
  people: People,
  size: Size,
): Promise<FilesWorld> {
  const open = ({ access_token }: Person) => openWorkspace(base_url, access_token)
  const workspace_id = await open(people.owner)
  // A guest must already be a user of the service.
  await open(people.newcomer)
  await addMember(client, workspace_id, people.member)
  await fillRestricted(client, workspace_id, people, size)
  const open_workspace_id = await open(people.owner)
  await fillOpen(client, open_workspace_id, people.owner, size)
  await client.query('vacuum (analyze)')
  const reader = (person: Person, workspace: string, is_member = true): Reader => ({
    ...person,
    workspace_id: workspace,
    is_member,
    reads_businesses: is_member,
    reads_lists: is_member,
  })
  const [ids] = (
    await client.query<{ open_room: string; restricted_room: string; file_id: string }>(
      `select ${idOfRoom(String(openRoom))} as open_room, ${idOfRoom(String(restrictedRoom))} as restricted_room, (
         select rf.file_id from room_file_permissions p join room_files rf using (workspace_id)
         where rf.id = p.room_file_id and p.workspace_id = $1 and p.user_id = $2 order by p.index_path limit 1) as file_id`,
      [workspace_id, people.newcomer.user_id],
    )
  ).rows
  if (!ids) throw new Error('The Rooms have no Files.')
  return {
    owner: reader(people.owner, workspace_id),
    member: reader(people.member, workspace_id),
    guest: reader(people.newcomer, workspace_id, false),
    ownerOfOpenRooms: reader(people.owner, open_workspace_id),
    open_room_id: ids.open_room,
    restricted_room_id: ids.restricted_room,
    file_id: ids.file_id,
  }
}

async function openWorkspace(base_url: string, access_token: string): Promise<string> {
  const client = createClient({ base_url, access_token })
  const { workspace } = await client.createWorkspace(
    { name: 'Of many Files' },
    { idempotency_key: randomUUID() },
  )
  return workspace.id
}

const addMember = (client: pg.Client, workspace_id: string, { user_id }: Person) =>
  client.query(
    `insert into memberships (id, workspace_id, user_id, role, status, joined_at, created_at)
     values (gen_random_uuid(), $1, $2, 'member', 'active', now(), now())`,
    [workspace_id, user_id],
  )

/** Rooms of `room_files` Files each, of which one has only restricted Files. */
async function fillRestricted(
  client: pg.Client,
  workspace_id: string,
  { owner, member, newcomer }: People,
  { files, room_files, permissions }: Size,
) {
  const rooms = Math.max(2, Math.ceil(files / room_files))
  await fillWithRooms(client, workspace_id, { rooms }, [
    { user_id: owner.user_id, as_guest: false, rooms },
    { user_id: member.user_id, as_guest: false, rooms },
  ])
  await client.query(
    `update room_participants set access_level = case when user_id = $2 then 'full_access' else 'view' end::access_level
     where workspace_id = $1`,
    [workspace_id, owner.user_id],
  )
  await client.query(
    `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
     values ($1, ${idOfRoom(String(restrictedRoom))}, gen_random_uuid(), $2, true, 'view', 'active', now(), now())`,
    [workspace_id, newcomer.user_id],
  )
  for (let room = 1; room <= rooms; room++) {
    const [{ id: room_id } = { id: '' }] = (
      await client.query<{ id: string }>(`select ${idOfRoom('$1::integer')} as id`, [room])
    ).rows
    const access_mode = room === restrictedRoom ? 'restricted' : 'inherit_room'
    const shelf = { workspace_id, room_id, user_id: owner.user_id, files: room_files, access_mode } as const
    await withoutTriggers(client, () =>
      fillRoomWithFiles(client, { ...shelf, first: (room - 1) * room_files + 1 }),
    )
    if (room !== restrictedRoom) continue
    await client.query('analyze room_files, room_participants')
    await grantEvenly(client, { workspace_id, room_id, ...member }, permissions)
    await grantEvenly(client, { workspace_id, room_id, ...newcomer }, 3)
  }
}

/** Rooms that everybody in the Workspace sees, with 20 Files each. */
async function fillOpen(client: pg.Client, workspace_id: string, { user_id }: Person, { open_rooms }: Size) {
  await fillWithRooms(client, workspace_id, { rooms: open_rooms }, [{ user_id, as_guest: false, rooms: 1 }])
  await client.query(
    `update rooms set general_access = 'workspace', general_access_level = 'view' where workspace_id = $1`,
    [workspace_id],
  )
  const shelf = { workspace_id, user_id, first: 1, files: open_rooms * 20 }
  await withoutTriggers(client, async () => {
    const [{ id: room_id } = { id: '' }] = (
      await client.query<{ id: string }>(`select ${idOfRoom('1')} as id`)
    ).rows
    await fillRoomWithFiles(client, { ...shelf, room_id, access_mode: 'inherit_room' })
    await client.query(
      `update room_files set room_id = ${idOfRoom('substr(id, 6)::bigint % $2::integer + 1')} where workspace_id = $1`,
      [workspace_id, open_rooms],
    )
  })
}

/** Foreign keys are checked by triggers, which takes minutes for a million Files. */
async function withoutTriggers(client: pg.Client, fill: () => Promise<unknown>): Promise<void> {
  await client.query('set session_replication_role = replica')
  await fill()
  await client.query('set session_replication_role = origin')
}
