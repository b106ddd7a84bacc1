import type { InputError } from '@wbs/contract/problems'
import {
  operatorsByType,
  presenceOperators,
  type FieldRule,
  type RuleOperator,
} from '@wbs/contract/lists/rules'
import { inexactNumber, inexactNumbers } from '@wbs/contract/json/exact-numbers'
import { nearest } from '@wbs/contract/nearest'
import type { ColumnRow } from '../list-store.ts'
import { checkOperand } from '../rules/check-operand.ts'
import { FoundErrors, isRecord } from '../rules/found-errors.ts'

/** What the value of a column is compared with. */
export interface ColumnFilter extends Pick<FieldRule, 'operator' | 'value'> {
  column_id: string
}

/** The leaves of a filter, all of which must hold. */
export type EntryFilter = readonly ColumnFilter[]

type Columns = readonly Pick<ColumnRow, 'column_id' | 'value_type'>[]

const mostLeaves = 10

/** Reads the JSON document of a filter. The columns are those of the List that are not archived. */
export function readFilter(
  text: string,
  columns: Columns,
): { filter: EntryFilter } | { errors: InputError[] } {
  const found = new FoundErrors()
  const given = parsed(text, found)
  const filter = given === undefined ? [] : leavesOf(given, columns, found)
  return found.errors.length > 0 ? { errors: found.errors.map(inQuery) } : { filter }
}

function parsed(text: string, found: FoundErrors): unknown {
  try {
    const pointers = inexactNumbers(text, mostLeaves)
    for (const pointer of pointers) found.add(pointer, 'out_of_range', inexactNumber)
    return pointers.length > 0 ? undefined : JSON.parse(text)
  } catch {
    found.add('', 'format', 'filter must be a JSON document.')
    return undefined
  }
}

/** The whole document is one parameter, so the place in it stands in the detail. */
const inQuery = ({ pointer, detail, ...rest }: InputError): InputError => ({
  ...rest,
  in: 'query',
  pointer: '/filter',
  detail: pointer === '' ? detail : `At ${pointer.slice(1)} in filter: ${detail}`,
})

function leavesOf(given: unknown, columns: Columns, found: FoundErrors): ColumnFilter[] {
  if (!isRecord(given) || !Object.hasOwn(given, 'and')) return leafOf(given, '', columns, found)
  checkKeys(given, '', ['and'], found)
  const { and } = given
  if (!Array.isArray(and)) found.add('/and', 'type', 'and must be an array of comparisons.')
  else if (and.length === 0) found.add('/and', 'too_short', 'and must have at least 1 comparison.')
  else if (and.length > mostLeaves)
    found.add('/and', 'too_long', `and must have at most ${mostLeaves} comparisons.`)
  else return and.flatMap((leaf, i) => leafOf(leaf, `/and/${i}`, columns, found))
  return []
}

/** A checked leaf; none if it is not valid. */
function leafOf(given: unknown, at: string, columns: Columns, found: FoundErrors): ColumnFilter[] {
  if (!isRecord(given)) {
    found.add(at, 'type', 'A comparison must be an object with column_id, operator and value.')
    return []
  }
  checkKeys(given, at, ['column_id', 'operator', 'value'], found)
  const column = columnOf(given, at, columns, found)
  const operator = operatorOf(given, at, column, found)
  if (!column || !operator) return []
  checkValue(given, { at: `${at}/value`, column, operator }, found)
  const { value = null } = given
  return [{ column_id: column.column_id, operator, value: value as ColumnFilter['value'] }]
}

/** The unknown key is not named, because a detail never repeats what was submitted. */
function checkKeys(given: object, at: string, known: readonly string[], found: FoundErrors): void {
  const unknown = Object.keys(given).find(key => !known.includes(key))
  if (unknown === undefined) return
  const detail = `There is a key that is not known here. The keys are ${known.join(', ')}.`
  found.add(at, 'unknown', detail, nearest(unknown, known))
}

function columnOf({ column_id }: Record<string, unknown>, at: string, columns: Columns, found: FoundErrors) {
  const place = `${at}/column_id`
  if (column_id === undefined) found.add(place, 'required', 'column_id is required.')
  else if (typeof column_id !== 'string') found.add(place, 'type', 'column_id must be a string.')
  else {
    const column = columns.find(column => column.column_id === column_id.toLowerCase())
    if (!column)
      found.add(place, 'unknown', 'column_id must be the ID of a column of the List that is not archived.')
    return column
  }
  return undefined
}

function operatorOf(
  { operator }: Record<string, unknown>,
  at: string,
  column: Columns[number] | undefined,
  found: FoundErrors,
): RuleOperator | undefined {
  const place = `${at}/operator`
  if (operator === undefined) found.add(place, 'required', 'operator is required.')
  else if (typeof operator !== 'string') found.add(place, 'type', 'operator must be a string.')
  else if (column) {
    const known: readonly string[] = [...operatorsByType[column.value_type], ...presenceOperators]
    if (known.includes(operator)) return operator as RuleOperator
    found.addUnknown(place, `operator of a column of the type ${column.value_type}`, operator, known)
  }
  return undefined
}

function checkValue(
  { value }: Record<string, unknown>,
  { at, column, operator }: { at: string; column: Columns[number]; operator: RuleOperator },
  found: FoundErrors,
): void {
  if ((presenceOperators as readonly string[]).includes(operator)) {
    if (value !== undefined && value !== null)
      found.add(at, 'conflict', `value must be null with the operator ${operator}.`)
  } else if (value === undefined)
    found.add(at, 'required', `value is required with the operator ${operator}.`)
  else checkOperand({ types: [column.value_type], operator, value, at }, found)
}
