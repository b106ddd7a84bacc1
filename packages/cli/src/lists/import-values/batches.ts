import type { PlannedRow } from './plan-row.ts'

/** The most values that a request may set. */
const mostValues = 500
/** The most characters of texts in a request, far below what the service accepts even if each takes several bytes. */
const mostCharacters = 250_000

/** Collects rows for one request. The values of a row stay together. */
export class Batch {
  readonly rows: PlannedRow[] = []
  #values = 0
  #characters = 0

  /** Whether a row still fits in. A row always fits into an empty batch. */
  fits({ changes }: PlannedRow): boolean {
    const isWithin = this.#characters + charactersOf(changes) <= mostCharacters
    return this.rows.length === 0 || (this.#values + changes.length <= mostValues && isWithin)
  }

  add(row: PlannedRow): void {
    this.rows.push(row)
    this.#values += row.changes.length
    this.#characters += charactersOf(row.changes)
  }
}

const charactersOf = (changes: PlannedRow['changes']): number =>
  changes.reduce((sum, { value }) => sum + String(value).length, 0)
