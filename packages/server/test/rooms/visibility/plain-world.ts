import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { accessLevels } from '@wbs/contract/scopes'
import type { Random } from '../../model/random.ts'
import type { PlainWorld } from './plain-rules.ts'

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

/** Two Workspaces with the same people, whose memberships, participations and Businesses began and ended at random. */
export function randomWorld(
  random: Random,
): PlainWorld & { workspaces: string[]; people: string[]; businesses: string[] } {
  const workspaces = times(2, () => randomUUID())
  const people = times(5, () => randomUUID())
  const businesses = times(3, i => `biz_${i}`)
  const memberships = workspaces.flatMap(workspace_id =>
    people.flatMap(user_id => [
      ...(random.chance(0.4)
        ? [{ workspace_id, id: randomUUID(), user_id, status: 'removed' as const }]
        : []),
      ...(random.chance(0.5) ? [{ workspace_id, id: randomUUID(), user_id, status: 'active' as const }] : []),
    ]),
  )
  const rooms = workspaces.flatMap(workspace_id =>
    times(12, i => {
      const business_id = random.chance(0.6) ? random.pick(businesses) : null
      const general_access = random.pick(
        business_id === null
          ? (['invited_only', 'workspace'] as const)
          : (['invited_only', 'workspace', 'business'] as const),
      )
      return {
        workspace_id,
        id: `rom_${String.fromCharCode(random.chance(0.5) ? 65 : 97, 65 + i)}`,
        business_id,
        general_access,
        general_access_level:
          general_access === 'invited_only' ? null : random.pick(['view', 'edit'] as const),
        participant_visibility: random.pick(['everyone', 'managers'] as const),
        guest_files: random.pick([null, 'uploader', 'everyone'] as const),
      }
    }),
  )
  const participations = rooms.flatMap(({ workspace_id, id: room_id }) =>
    people.flatMap(user_id =>
      (['active', 'left', 'revoked'] as const)
        .filter(() => random.chance(0.6))
        .map(status => {
          const as_guest = random.chance(0.4)
          const held = memberships.filter(one => one.workspace_id === workspace_id && one.user_id === user_id)
          return {
            workspace_id,
            room_id,
            id: randomUUID(),
            user_id,
            access_level: random.pick(accessLevels),
            status,
            as_guest,
            membership_id: as_guest ? null : (random.maybe(held)?.id ?? null),
            ends_in: random.pick([null, null, 1, -1]),
          }
        }),
    ),
  )
  const files = rooms.flatMap(({ workspace_id, id: room_id }) =>
    times(3, i => ({
      workspace_id,
      room_id,
      id: `${room_id}_${workspaces.indexOf(workspace_id)}_${i}`,
      access_mode: random.pick(['inherit_room', 'restricted'] as const),
      status: random.pick(['pending', 'active', 'archived'] as const),
      guest_id: random.pick([null, ...people]),
    })),
  )
  const permissions = files.flatMap(({ workspace_id, room_id, id: room_file_id }) =>
    people
      .filter(() => random.chance(0.4))
      .map(user_id => {
        const there = participations.filter(
          own => own.workspace_id === workspace_id && own.room_id === room_id && own.user_id === user_id,
        )
        const held = memberships.filter(one => one.workspace_id === workspace_id && one.user_id === user_id)
        const participant_id = random.chance(0.6) ? (random.maybe(there)?.id ?? null) : null
        const membership_id = random.chance(0.6) ? (random.maybe(held)?.id ?? null) : null
        return {
          workspace_id,
          room_id,
          room_file_id,
          id: randomUUID(),
          user_id,
          access_level: random.pick(accessLevels),
          status: random.pick(['active', 'active', 'revoked'] as const),
          participant_id,
          membership_id,
        }
      })
      .filter(({ participant_id, membership_id }) => participant_id !== null || membership_id !== null),
  )
  const links = workspaces.flatMap(workspace_id =>
    businesses
      .filter(() => random.chance(0.7))
      .map(business_id => ({
        workspace_id,
        business_id,
        removed: random.chance(0.3),
        sees_unpublished: random.chance(0.7),
      })),
  )
  const published = businesses.filter(() => random.chance(0.3))
  return {
    workspaces,
    people,
    businesses,
    memberships,
    rooms,
    participations,
    files,
    permissions,
    links,
    published,
  }
}

/** Writes a world as the superuser, instead of the one before. No trigger runs, and no foreign key is checked. */
export async function writeWorld(client: pg.Client, world: PlainWorld): Promise<void> {
  const rows = async (text: string, from: readonly object[]) => client.query(text, [JSON.stringify(from)])
  const each = 'from jsonb_to_recordset($1::jsonb) as one'
  await client.query(`set session_replication_role = replica`)
  for (const table of [
    'room_file_permissions',
    'room_files',
    'room_participants',
    'rooms',
    'workspace_businesses',
    'published_businesses',
    'memberships',
  ])
    await client.query(`delete from ${table}`)
  await rows(
    `insert into memberships (workspace_id, id, user_id, role, status)
     select workspace_id, id, user_id, 'member', status ${each} (workspace_id uuid, id uuid, user_id uuid, status text)`,
    world.memberships,
  )
  await rows(
    `insert into published_businesses (id, name, publication_status, status, published_at, country_code, name_folded, terms)
     select id, id, 'published', 'active', now(), 'US', id, '{}' ${each} (id text)`,
    world.published.map(id => ({ id })),
  )
  await rows(
    `insert into workspace_businesses (workspace_id, business_id, access_level, linked_by, removed_at, sees_unpublished)
     select workspace_id, business_id, 'view', workspace_id, case when removed then now() end, sees_unpublished
     ${each} (workspace_id uuid, business_id text, removed boolean, sees_unpublished boolean)`,
    world.links,
  )
  await rows(
    `insert into rooms (workspace_id, id, business_id, title, general_access, general_access_level, participant_visibility,
       guest_files, created_by, created_at, updated_at)
     select workspace_id, id, business_id, id, general_access, general_access_level, participant_visibility, guest_files,
       workspace_id, now(), now()
     ${each} (workspace_id uuid, id text, business_id text, general_access text, general_access_level access_level,
       participant_visibility text, guest_files text)`,
    world.rooms,
  )
  await rows(
    `insert into room_participants (workspace_id, room_id, id, user_id, access_level, status, as_guest, membership_id, expires_at,
       created_at, updated_at)
     select workspace_id, room_id, id, user_id, access_level, status, as_guest, membership_id, now() + make_interval(days => ends_in),
       now(), now()
     ${each} (workspace_id uuid, room_id text, id uuid, user_id uuid, access_level access_level, status text, as_guest boolean,
       membership_id uuid, ends_in integer)`,
    world.participations,
  )
  await rows(
    `insert into room_files (workspace_id, room_id, id, file_id, index_path, access_mode, status, guest_id, attached_by, attached_at,
       updated_at, archived_at)
     select workspace_id, room_id, id, id, id, access_mode, status, guest_id, workspace_id, now(), now(),
       case when status = 'archived' then now() end
     ${each} (workspace_id uuid, room_id text, id text, access_mode text, status text, guest_id uuid)`,
    world.files,
  )
  await rows(
    `insert into room_file_permissions (workspace_id, id, room_file_id, room_id, index_path, user_id, access_level, status,
       participant_id, membership_id, granted_by, created_at, updated_at)
     select workspace_id, id, room_file_id, room_id, room_file_id, user_id, access_level, status, participant_id, membership_id,
       workspace_id, now(), now()
     ${each} (workspace_id uuid, id uuid, room_file_id text, room_id text, user_id uuid, access_level access_level, status text,
       participant_id uuid, membership_id uuid)`,
    world.permissions,
  )
}
