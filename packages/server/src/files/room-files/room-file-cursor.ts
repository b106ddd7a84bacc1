import { idPattern } from '@wbs/contract/ids'
import type { Refuse } from '../../call/problem.ts'

/** A place in the list of a Room's Files, which is sorted by both. */
export interface Place {
  index_path: string
  room_file_id: string
}

/** The cursor after a place. It has nothing but what the page showed. */
export const cursorOf = ({ index_path, room_file_id }: Place): string =>
  Buffer.from(JSON.stringify([index_path, room_file_id])).toString('base64url')

/** The place of a cursor; null without one. Throws validation_error if it is none of ours. */
export function readCursor(cursor: string | undefined, refuse: Refuse<'validation_error'>): Place | null {
  if (cursor === undefined) return null
  const place = placeIn(cursor)
  if (place) return place
  const detail = 'cursor must be the page.cursor of a previous page.'
  throw refuse.validation_error(detail, {
    errors: [{ in: 'query', pointer: '/cursor', code: 'format', detail }],
  })
}

function placeIn(cursor: string): Place | undefined {
  const parts = parsed(Buffer.from(cursor, 'base64url').toString())
  if (!Array.isArray(parts)) return undefined
  const [index_path, room_file_id] = parts as unknown[]
  if (typeof index_path !== 'string' || typeof room_file_id !== 'string') return undefined
  const place = { index_path, room_file_id }
  // PostgreSQL takes no NUL in a text.
  const isPlace = isRoomFileId.test(room_file_id) && index_path !== '' && !index_path.includes('\0')
  return isPlace && cursorOf(place) === cursor ? place : undefined
}

const isRoomFileId = new RegExp(idPattern('rfl'))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
