import type { CsvRecord } from './csv.ts'
import type { Column, Layout } from './columns.ts'

/** The reasons for a rejection, by code. */
export const rejectCodes = {
  required: 'the column must have a value',
  too_long: 'the value is longer than the column allows',
  control_character: 'the value holds a control character',
  invalid_utf8: 'the bytes are not UTF-8, or were damaged before',
  column_count: 'the row has more or fewer values than there are columns',
  broken_quotes: 'a quote is not closed, or stands where none may',
  record_too_large: 'the row does not end within 65,536 characters',
  duplicate: 'an earlier row of this run has the same source and source_id',
  unknown_source: 'the source is neither in the catalogue nor known from an earlier import',
  unknown_status: 'the status is not active, closed, inactive or unknown',
  unknown_state: 'the state is not one of the 50 states or DC',
  unknown_country: 'the country is not two capital letters of ISO 3166, or is a territory',
  unknown_naics_code: 'the edition has no such code',
  naics_vintage: 'a code needs its edition, and an edition its code',
  bad_date: 'the value is not a day that exists, as YYYY-MM-DD',
  date_conflict: 'the dates and the status contradict each other',
  bad_url: 'the value is not an http or https URL without white space',
  url_credentials: 'the URL holds a user name or password',
  bad_phone: 'the number is not in the form +14045550123',
  bad_email: 'the value is not an e-mail address',
  published: 'the row would change a published Business, and the import publishes nothing',
} as const
export type RejectCode = keyof typeof rejectCodes

/** One reason why a row is rejected. `column` is empty if it concerns the whole row. */
export interface Reason {
  column: Column | ''
  code: RejectCode
  detail: string
}

/** Reads the cells of one record after another, and collects what is wrong with each. */
export class RowReader {
  reasons: Reason[] = []
  readonly #layout: Layout
  #fields: readonly string[] = []
  #suspect = false

  constructor(layout: Layout) {
    this.#layout = layout
  }

  /** Moves to the next record. Returns whether it can be read: it has valid quotes and a value for every column. */
  turnTo(record: CsvRecord): boolean {
    this.#fields = record.fields
    this.#suspect = controls.test(record.raw)
    if (this.reasons.length > 0) this.reasons = []
    if (record.damage) this.refuse('', record.damage)
    else if (record.fields.length !== this.#layout.width)
      this.refuse('', 'column_count', `${record.fields.length} values for ${this.#layout.width} columns`)
    return this.reasons.length === 0
  }

  /** The trimmed text of a cell, unchecked. */
  cell(column: Column): string {
    return this.#fields[this.#layout.at.get(column) ?? -1]?.trim() ?? ''
  }

  /** Adds a reason. Returns null, to be used as the value. */
  refuse(column: Column | '', code: RejectCode, detail: string = rejectCodes[code]): null {
    this.reasons.push({ column, code, detail })
    return null
  }

  /** The trimmed text of a cell; null if it is blank or was rejected. `longest` is in code points. */
  text(column: Column, longest: number, lines: 'one line' | 'lines' = 'one line'): string | null {
    const value = this.cell(column)
    if (value === '') return null
    if (value.length > longest && countCodePoints(value) > longest)
      return this.refuse(column, 'too_long', `longer than ${longest} characters`)
    if (this.#suspect && value.includes('\ufffd')) return this.refuse(column, 'invalid_utf8')
    if (this.#suspect && (lines === 'lines' ? controlsButLines : controls).test(value))
      return this.refuse(column, 'control_character')
    return value
  }

  /** Like `text`, but rejects a blank cell. */
  requiredText(column: Column, longest: number): string {
    const before = this.reasons.length
    const value = this.text(column, longest)
    if (value === null && this.reasons.length === before) this.refuse(column, 'required')
    return value ?? ''
  }
}

/* oxlint-disable no-control-regex */
const controls = /[\u0000-\u001f\u007f-\u009f\ufffd]/
const controlsButLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/
/* oxlint-enable no-control-regex */

function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
