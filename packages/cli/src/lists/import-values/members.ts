import { failureInWords } from '../../failure-in-words.ts'
import { CommandError } from '../../command-error.ts'
import type { ListEntry } from '@wbs/sdk'
import { entryPages } from '../entry-pages.ts'
import type { Column, ListTarget } from '../list-target.ts'
import type { Matching } from './matching.ts'

export interface Member {
  id: ListEntry['member_id']
  /** Its values by the ID of the column. */
  values: ReadonlyMap<string, string | number | boolean>
}

/** Finds the members that a row describes. */
export type Members = ReadonlyMap<string, readonly Member[]>

/** Reads all members once, with their values of these columns. Throws CommandError. */
export async function readMembers(
  target: ListTarget,
  { fields, keyOf, cellsOf }: Matching,
  columns: readonly Column[],
  onProgress: (members: number) => void,
): Promise<Members> {
  const found = new Map<string, Member[]>()
  const query = { fields, column_ids: columns.map(({ column_id }) => column_id) }
  let count = 0
  try {
    for await (const { data } of entryPages(target, query)) {
      for (const entry of data) {
        const cells = cellsOf(entry)
        if (!cells.every(cell => typeof cell === 'string')) continue
        const key = keyOf(...cells)
        const same = found.get(key)
        if (same) same.push(memberOf(entry))
        else found.set(key, [memberOf(entry)])
      }
      onProgress((count += data.length))
    }
  } catch (error) {
    if (target.signal.aborted) throw error
    throw new CommandError(`The entries cannot be read: ${failureInWords(error)}.`)
  }
  return found
}

const memberOf = ({ member_id, values }: ListEntry): Member => ({
  id: member_id,
  values: new Map(values.map(({ column_id, value }) => [column_id, value.value])),
})
