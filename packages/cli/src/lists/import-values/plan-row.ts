import type { CsvRecord } from '@wbs/server/businesses/import/rows/csv'
import type { KnownColumn, Layout } from './layout.ts'
import type { Matching } from './matching.ts'
import type { Member, Members } from './members.ts'
import { readCell } from './read-cell.ts'

/** A value to set, or to clear with null. */
export interface NewValue {
  column: KnownColumn
  value: string | number | boolean | null
}

export interface PlannedRow {
  record: CsvRecord
  member_id: Member['id']
  /** The values that differ from those of the member. */
  changes: NewValue[]
  /** How many cells say what the member has. */
  unchanged: number
}

export type Decision = PlannedRow | { rejected: string }

/** How rows are turned into changes. */
export interface RowRules {
  layout: Layout
  matching: Matching
  members: Members
  clearEmpty: boolean
}

/** Decides for one row after the other. `lines` has the line of the row that each member had, and gets that of this one. */
export function planRow(record: CsvRecord, rules: RowRules, lines: Map<string, number>): Decision {
  const { layout } = rules
  if (record.damage) return { rejected: damages[record.damage] }
  const { fields } = record
  if (fields.length !== layout.headers.length)
    return { rejected: `The row has ${fields.length} cells and the header has ${layout.headers.length}.` }
  const member = memberOf(fields, rules)
  if ('rejected' in member) return member
  const before = lines.get(member.id)
  if (before !== undefined) return { rejected: `Line ${before} is about the same member.` }
  lines.set(member.id, record.line)
  return changesOf(record, member, rules)
}

const damages = {
  broken_quotes: 'The quotes of the row are broken.',
  record_too_large: 'The row is too long.',
}

function memberOf(
  fields: readonly string[],
  { layout, matching, members }: RowRules,
): Member | { rejected: string } {
  const cells = layout.key.map(at => fields[at] ?? '')
  const empty = cells.findIndex(cell => cell.trim() === '')
  if (empty !== -1) return { rejected: `The row has no ${matching.headers[empty]}.` }
  const [member, ...others] = members.get(matching.keyOf(...cells)) ?? []
  const what = matching.headers.join(' and ')
  if (!member) return { rejected: `No member of the List has this ${what}.` }
  if (others.length > 0) return { rejected: `${others.length + 1} members of the List have this ${what}.` }
  return member
}

function changesOf(record: CsvRecord, member: Member, { layout, clearEmpty }: RowRules): Decision {
  const changes: NewValue[] = []
  const wrong: string[] = []
  let unchanged = 0
  for (const { at, column } of layout.values) {
    const read = readCell(record.fields[at] ?? '', column.value_type)
    if (read === 'empty' && !clearEmpty) continue
    if (read !== 'empty' && 'wrong' in read) wrong.push(`${column.name}: ${read.wrong}.`)
    else {
      const value = read === 'empty' ? null : read.value
      if (value === (member.values.get(column.column_id) ?? null)) unchanged++
      else changes.push({ column, value })
    }
  }
  return wrong.length > 0
    ? { rejected: wrong.join(' ') }
    : { record, member_id: member.id, changes, unchanged }
}
