import { setTimeout as sleep } from 'node:timers/promises'
import { isProblem, type Client, type ProblemError } from '@wbs/sdk'
import { CommandError } from '../../command-error.ts'
import type { ListTarget } from '../list-target.ts'
import type { PlannedRow } from './plan-row.ts'
import { countChanges, type Tally } from './tally.ts'

/** A value of a request, with the row that it comes from. */
interface Cell {
  row: PlannedRow
  sent: Parameters<Client['setListEntryValues']>[0]['values'][number]
}

const cellsOf = (row: PlannedRow): Cell[] =>
  row.changes.map(({ column: { column_id, value_type }, value }) => ({
    row,
    sent: { member_id: row.member_id, column_id, value: value === null ? null : { value_type, value } },
  }))

/** How often one request is repeated at most because somebody else changes the List all the time. */
const mostConflicts = 10
const longestPause = 1000 // milliseconds

/** Writes rows into a List, with the version that the last change made. */
export class ValueWriter {
  #version: number
  readonly #target: ListTarget
  readonly #tally: Tally
  readonly #reject: (row: PlannedRow, reason: string) => Promise<void>

  constructor(target: ListTarget, tally: Tally, reject: (row: PlannedRow, reason: string) => Promise<void>) {
    this.#target = target
    this.#tally = tally
    this.#reject = reject
    this.#version = target.list.version
  }

  /** Writes the values of all these rows, at most 500. Rows that the service refuses are rejected, and the others written. */
  async write(rows: readonly PlannedRow[]): Promise<void> {
    let left = rows
    for (let conflicts = 0; left.length > 0;) {
      const cells = left.flatMap(cellsOf)
      try {
        await this.#send(cells)
        this.#count(left)
        return
      } catch (error) {
        if (isProblem(error, 'revision_conflict')) await this.#readAgain(++conflicts)
        else if (isProblem(error, 'validation_error')) left = await this.#withoutRefused(left, cells, error)
        else throw error
      }
    }
  }

  async #send(cells: readonly Cell[]): Promise<void> {
    const { client, list, signal } = this.#target
    const values = cells.map(({ sent }) => sent)
    const given = { list_id: list.id, expected_version: this.#version, values }
    const { data } = await client.setListEntryValues(given, { signal })
    this.#version = data.version
  }

  /** Somebody else has changed the List. A random pause keeps two imports from meeting again. */
  async #readAgain(conflicts: number): Promise<void> {
    const { client, list, signal } = this.#target
    if (conflicts > mostConflicts)
      throw new CommandError('Others change the List too often for a request to come between')
    this.#tally.conflicts++
    if (conflicts > 1)
      await sleep(Math.random() * Math.min(25 * 2 ** conflicts, longestPause), undefined, { signal })
    const { data } = await client.getList({ list_id: list.id }, { signal })
    this.#version = data.version
  }

  /** Rejects the rows to which the errors point, and returns the others. */
  async #withoutRefused(
    rows: readonly PlannedRow[],
    cells: readonly Cell[],
    error: ProblemError<'validation_error'>,
  ): Promise<PlannedRow[]> {
    const reasons = new Map<PlannedRow, string>()
    for (const { pointer, detail } of error.problem.errors) {
      const [, position, part] = /^\/values\/(\d+)\/(member_id|value)/.exec(pointer) ?? []
      const cell = cells[Number(position)]
      if (!part || !cell) throw error
      reasons.set(cell.row, part === 'member_id' ? 'The Business is no member of the List any more.' : detail)
    }
    for (const [row, reason] of reasons) await this.#reject(row, reason)
    return rows.filter(row => !reasons.has(row))
  }

  #count(rows: readonly PlannedRow[]): void {
    countChanges(this.#tally, rows)
    this.#tally.lastLine = rows.at(-1)?.record.line ?? this.#tally.lastLine
  }
}
