import { createHmac, timingSafeEqual } from 'node:crypto'
import { derivedKey } from '../../identity/derived-key.ts'
import type { EntryFilter } from './entry-filter.ts'
import { textOfOrder, type EntryOrder } from './entry-order.ts'

/** The place of an entry in a sorted List: what it is sorted by, and its id. */
export interface Place {
  key: string | number | boolean | null
  id: string
}

/** What a cursor belongs to. */
export interface SortedList {
  list_id: string
  filter: EntryFilter
  order: EntryOrder
}

/**
 * Writes places as cursors, and reads them back. A cursor contains a place that the page showed, and a keyed hash of the place
 * and of what it belongs to; nothing is stored.
 */
export interface EntryCursors {
  textOf(place: Place, sorted: SortedList): string
  /** Null if the cursor was not written by this service for the same List, filter and order, or was altered. */
  placeOf(text: string, sorted: SortedList): Place | null
}

export function createEntryCursors(secret: Buffer): EntryCursors {
  const key = derivedKey(secret, 'workspace business service: entry cursors')
  const hashOf = (text: string, { list_id, filter, order }: SortedList) =>
    createHmac('sha256', key)
      .update(JSON.stringify([list_id, filter, textOfOrder(order), text]))
      .digest()
  return {
    textOf(place, sorted) {
      const text = Buffer.from(JSON.stringify(place)).toString('base64url')
      return `${text}.${hashOf(text, sorted).toString('base64url')}`
    },
    placeOf(cursor, sorted) {
      const [, text, hash] = /^([A-Za-z0-9_-]{1,4000})\.([A-Za-z0-9_-]{43})$/.exec(cursor) ?? []
      if (!text || !hash || !timingSafeEqual(hashOf(text, sorted), Buffer.from(hash, 'base64url')))
        return null
      return JSON.parse(Buffer.from(text, 'base64url').toString()) as Place
    },
  }
}
