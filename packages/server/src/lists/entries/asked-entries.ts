import type { listListEntries } from '@wbs/contract/lists/entries'
import { idPattern } from '@wbs/contract/ids'
import type { InputOf } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import type { Refuse } from '../../call/problem.ts'
import type { ListRow } from '../list-store.ts'
import type { EntryCursors, Place } from './entry-cursors.ts'
import { readFilter, type EntryFilter } from './entry-filter.ts'
import { readOrder, type EntryOrder } from './entry-order.ts'

type Asked = Pick<InputOf<typeof listListEntries>, 'filter' | 'sort' | 'cursor'>

/** Which entries a request asks for: from an id on, or from a place in an order. */
export type AskedEntries = { filter: EntryFilter } & (
  | { order: null; after: string }
  | { order: EntryOrder; after: Place | null }
)

/** Reads the parameters that depend on the List or on each other. Throws validation_error. */
export function readAsked(
  { filter: filterText, sort, cursor }: Asked,
  { list_id, columns }: ListRow,
  cursors: EntryCursors,
  refuse: Refuse<'validation_error'>,
): AskedEntries {
  const filtered = filterText === undefined ? { filter: [] } : readFilter(filterText, columns)
  const order = sort === undefined ? null : readOrder(sort, columns)
  const errors = [
    ...('errors' in filtered ? filtered.errors : []),
    ...(order === undefined ? [noColumn] : []),
  ]
  if ('errors' in filtered || order === undefined) throw refuse.validation_error(detailOf(errors), { errors })
  const { filter } = filtered
  if (order === null) {
    if (cursor !== undefined && !isBusinessId.test(cursor)) throw wrongCursor(refuse)
    return { filter, order, after: cursor ?? '' }
  }
  const after = cursor === undefined ? null : cursors.placeOf(cursor, { list_id, filter, order })
  if (cursor !== undefined && after === null) throw wrongCursor(refuse)
  return { filter, order, after }
}

const isBusinessId = new RegExp(idPattern('biz'))

const noColumn: InputError = {
  in: 'query',
  pointer: '/sort',
  code: 'unknown',
  detail: 'sort must be name or the ID of a column of the List that is not archived.',
}

const detailOf = (errors: readonly InputError[]): string =>
  errors.length === 1 ? String(errors[0]?.detail) : `The request has ${errors.length} errors.`

function wrongCursor(refuse: Refuse<'validation_error'>) {
  const detail = 'cursor must be the page.cursor of a page of the same List, with the same filter and sort.'
  return refuse.validation_error(detail, {
    errors: [{ in: 'query', pointer: '/cursor', code: 'format', detail }],
  })
}
