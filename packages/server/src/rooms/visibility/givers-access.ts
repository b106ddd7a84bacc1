// Where a Room hides guests from each other, it hides what one of them wrote or did from the others. Each type of what stands in
// Rooms has a rule that names for each of its fields who gave it; the statements and the answers are derived from that rule.

/** Who gave a field of an answer. */
export type Giver =
  /** The service, or the state that all who see the row have in common. */
  | 'nobody'
  /** Those whom the row concerns. Where one of them is hidden, the row is. */
  | 'row'
  /** A list whose entries were given by different people. An entry of somebody who is hidden is left out. */
  | 'each'
  /** The user in this column. Where they are hidden, the field is null. */
  | { by: string }
  /** It names a row of another table. Where that row is hidden, the field is null. */
  | { names: () => PlacedTable }

/** A table whose rows have a place, with the rule of the answer that shows a row. */
export interface PlacedTable {
  table: 'goals' | 'tasks' | 'approvals'
  /** The columns with the users whom a row concerns. Where a Room hides one of them from the viewer, it hides the row. */
  people: readonly string[]
  /** The column with the guests who wrote in a row, if a guest can: it concerns them too. */
  writers?: string
  fields: Readonly<Record<string, Giver>>
}

/** A rule with a giver for each field of an answer, so that a new field without one does not compile. */
export const placed = <Shown extends object>(
  rule: Omit<PlacedTable, 'fields'> & { fields: { [Field in keyof Shown]: Giver } },
): PlacedTable & { fields: { [Field in keyof Shown]: Giver } } => rule

/** The fields that somebody writes who changes the row. */
export const isWritten = ({ fields }: PlacedTable, changed: readonly string[]): boolean =>
  changed.some(field => fields[field] === 'row')

/** The answer without the fields that its reader may not see. */
export const withoutHidden = <Shown extends object>(shown: Shown, hidden: readonly string[]): Shown => ({
  ...shown,
  ...Object.fromEntries(hidden.map(field => [field, null])),
})
