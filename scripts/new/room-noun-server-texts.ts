import type { NounNames } from './names-of-noun.ts'

/** The path of a file of the slice of Rooms, from the folder of the noun. */
const inRooms = ({ slice }: NounNames, file: string) =>
  slice === 'rooms' ? `../${file}` : `../../rooms/${file}`

export const storeText = (names: NounNames) => {
  const { snake, pascal, table, words, camel } = names
  return `import { randomUUIDv7 } from 'node:crypto'
import type { Id } from '@wbs/contract/ids'
import type { Transaction } from '../../database/connections/writer.ts'
import { read, updateRevision, write, type Reader } from '../../database/statement.ts'
import type { OpenedRoom, RoomRow } from '${inRooms(names, 'room-store.ts')}'

/** A ${words} as it is shown. */
export interface ${pascal}Row {
  ${snake}_id: string
  room_id: Id<'rom'>
  title: string
  created_by: string
  revision: number
  created_at: string
  updated_at: string
}

/** A page of a Room that the caller can see. */
export const ${camel}Page = (
  reader: Reader,
  { workspace_id, room_id }: Pick<RoomRow, 'workspace_id' | 'room_id'>,
  { after, limit }: { after: string | null; limit: number },
): Promise<${pascal}Row[]> => reader.many(page, { workspace_id, room_id, after, limit })

/** The ${words} with an id, in a Room. */
export const ${camel}InRoom = (
  reader: Reader,
  named: { workspace_id: string; room_id: string; ${snake}_id: string },
): Promise<${pascal}Row | undefined> => reader.one(inRoom, named)

/** Inserts a ${words} in an opened Room. */
export function insert${pascal}(
  tx: Transaction,
  { workspace_id, room_id }: OpenedRoom<'edit'>,
  { title, created_by }: Pick<${pascal}Row, 'title' | 'created_by'>,
  now: Date,
): ${pascal}Row {
  const row = {
    ${snake}_id: randomUUIDv7(),
    room_id,
    title,
    created_by,
    revision: 1,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
  tx.save(inserted, { workspace_id, ...row })
  return row
}

/** Saves a ${words} as a new revision. */
export function save${pascal}(
  tx: Transaction,
  { workspace_id }: OpenedRoom<'edit'>,
  row: ${pascal}Row,
  now: Date,
): ${pascal}Row {
  tx.save(saved, { workspace_id, ...row, now })
  return { ...row, revision: row.revision + 1, updated_at: now.toISOString() }
}

const columns = 'v.id as ${snake}_id, v.room_id, v.title, v.created_by, v.revision, v.created_at, v.updated_at'

const page = read<${pascal}Row>(
  '${snake}_page',
  \`select \${columns} from ${table} v
   where v.workspace_id = :workspace_id and v.room_id = :room_id and (:after::uuid is null or v.id > :after)
   order by v.id limit :limit\`,
  'long',
)

const inRoom = read<${pascal}Row>(
  '${snake}_in_room',
  \`select \${columns} from ${table} v
   where v.workspace_id = :workspace_id and v.room_id = :room_id and v.id = :${snake}_id\`,
)

const inserted = write(
  '${snake}_insert',
  \`insert into ${table} (workspace_id, id, room_id, title, created_by, created_at, updated_at)
   values (:workspace_id, :${snake}_id, :room_id, :title, :created_by, :created_at, :updated_at)\`,
)

const saved = updateRevision(
  '${snake}_save',
  \`update ${table} set title = :title, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :${snake}_id and revision = :revision\`,
)
`
}

export const createText = (names: NounNames) => {
  const { slice, plural, singular, snake, camel, pascal, keyed } = names
  return `import { create${pascal} } from '@wbs/contract/${slice}/${plural}'
import { implement } from '../../call/implement.ts'
import { beforeRoomChange, openRoom, requireActive } from '${inRooms(names, 'room-access.ts')}'
import { roomAsSubject } from '${inRooms(names, 'room-view.ts')}'
import { insert${pascal} } from './${singular}-store.ts'

export const handleCreate${pascal} = implement(
  create${pascal},
  async function create${pascal}({ room_id, title }, context) {
    const { caller, tx, now, refuse } = context
    const room = await openRoom(context, room_id, 'edit')
    requireActive(room, refuse)
    const ${camel} = insert${pascal}(tx, room, { title, created_by: caller.user_id }, now)
    return {
      result: { ${keyed} },
      resource: { type: 'room', id: room_id },
      changed: ['${snake}'],
      events: [{ type: '${snake}.created', ...roomAsSubject(room) }],
    }
  },
  beforeRoomChange,
)
`
}

export const listText = (names: NounNames) => {
  const { slice, plural, pascalPlural, singular, snake, camel } = names
  return `import { list${pascalPlural} } from '@wbs/contract/${slice}/${plural}'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { requireRoom } from '${inRooms(names, 'room-access.ts')}'
import { ${camel}Page } from './${singular}-store.ts'

export const handleList${pascalPlural} = implement(
  list${pascalPlural},
  async function list${pascalPlural}({ room_id, cursor: after = null, limit = 20 }, context) {
    const { read } = context
    const room = await requireRoom(context, read, room_id)
    const rows = await ${camel}Page(read, room, { after, limit: limit + 1 })
    return { result: pageOf(rows, limit, row => row.${snake}_id) }
  },
)
`
}

export const updateText = (names: NounNames) => {
  const { slice, plural, singular, snake, camel, pascal, words, keyed } = names
  return `import type { InputOf } from '@wbs/contract/operation'
import { update${pascal} } from '@wbs/contract/${slice}/${plural}'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import {
  checkRoomVisible,
  lockRoomAndRead,
  requireActive,
  requireLevel,
  requireOpened,
  type CallerOfChange,
} from '${inRooms(names, 'room-access.ts')}'
import { roomAsSubject } from '${inRooms(names, 'room-view.ts')}'
import { save${pascal}, ${camel}InRoom } from './${singular}-store.ts'

type Input = InputOf<typeof update${pascal}>

export const handleUpdate${pascal} = implement(
  update${pascal},
  async function update${pascal}(input, context) {
    const { room_id, expected_revision, title } = input
    const { tx, now, refuse } = context
    const [locked, before] = await lockAndRead(input, context)
    const viewed = requireOpened(locked, 'view', refuse)
    if (!before) throw refuse.not_found('There is no such ${words} in the Room.')
    const room = requireLevel(viewed, 'edit', refuse)
    requireActive(room, refuse)
    const changed = before.title === title ? [] : ['title']
    requireRevision(before, expected_revision, changed, refuse)
    const ${camel} = changed.length > 0 ? save${pascal}(tx, room, { ...before, title }, now) : before
    return {
      result: { ${keyed} },
      resource: { type: 'room', id: room_id },
      changed,
      events: changed.length > 0 ? [{ type: '${snake}.updated', ...roomAsSubject(room) }] : [],
    }
  },
  { visible: checkRoomVisible, prefetch: lockAndRead },
)

/** The locked Room, and the ${words} of the path. */
function lockAndRead({ room_id, ${snake}_id }: Input, context: CallerOfChange) {
  return lockRoomAndRead(context, room_id, ({ workspace_id }) =>
    ${camel}InRoom(context.tx, { workspace_id, room_id, ${snake}_id }),
  )
}
`
}
