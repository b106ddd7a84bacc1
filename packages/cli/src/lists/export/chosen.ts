import { businessFields, type BusinessField } from '@wbs/contract/businesses/businesses'
import { CommandError } from '../../command-error.ts'
import { columnsNamed, requireColumn } from '../columns.ts'
import type { Column } from '../list-target.ts'

/** Facts that have a place of their own in the file. */
const always: readonly string[] = ['id', 'name']

const isField = (text: string): text is BusinessField => (businessFields as string[]).includes(text)

/** The facts that --fields names, each once. Throws CommandError. */
export function chosenFields(text: string): BusinessField[] {
  const names = new Set(partsOf(text).filter(name => !always.includes(name)))
  return [...names].map(name => {
    if (isField(name)) return name
    throw new CommandError(`"${name}" is not a fact. --fields takes: ${businessFields.join(', ')}.`)
  })
}

/** The columns that --columns names, or all. Throws CommandError. */
export function chosenColumns(columns: readonly Column[], texts: readonly string[] | undefined): Column[] {
  if (!texts) return [...columns]
  // A name may have a comma.
  const names = texts.flatMap(text => (columnsNamed(columns, text).length > 0 ? [text] : partsOf(text)))
  return [...new Set(names.map(name => requireColumn(columns, name)))]
}

/** The value of the parameter sort. Throws CommandError. */
export function chosenSort(columns: readonly Column[], text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, direction = '', name = ''] = /^(-?)(.*)$/s.exec(text) ?? []
  return direction + (name === 'name' ? name : requireColumn(columns, name).column_id)
}

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
