import { ImportError } from './import-error.ts'

const required = [
  'source',
  'source_id',
  'name',
  'status',
  'founded_on',
  'closed_on',
  'address1',
  'city',
  'state',
  'postal_code',
  'naics_code',
  'naics_vintage',
  'website_url',
  'phone',
  'description',
] as const
const optional = ['email', 'legal_name', 'country_code'] as const

export type Column = (typeof required)[number] | (typeof optional)[number]

/** The columns of an import file: all required ones in any order, and no unknown ones. */
export const columns: { required: readonly Column[]; optional: readonly Column[] } = { required, optional }

/** The position of each column in a record, and the number of columns. */
export interface Layout<C extends string = Column> {
  at: ReadonlyMap<C, number>
  width: number
}

/** Reads a header. Throws an ImportError that names unknown, missing and repeated columns. */
export function readHeader<C extends string>(
  file: string,
  header: readonly string[] | undefined,
  expected: { required: readonly C[]; optional: readonly C[] },
): Layout<C> {
  if (!header) throw new ImportError(`${file} is empty: its first line must name the columns`)
  if (header[0]?.startsWith('\u001f'))
    throw new ImportError(`${file} is compressed: its name must end in .gz`)
  if (header.some(name => /[\ufffd\0]/.test(name))) throw new ImportError(`${file} is not UTF-8 text`)
  const names = header.map(name => name.trim())
  const known: readonly C[] = [...expected.required, ...expected.optional]
  const isKnown = new Set<string>(known)
  const errors = [
    errorText('has unknown columns', names.filter(name => !isKnown.has(name)).map(shown)),
    errorText(
      'lacks the columns',
      expected.required.filter(name => !names.includes(name)),
    ),
    errorText(
      'has these columns twice',
      names.filter((name, at) => names.indexOf(name) !== at),
    ),
  ].filter(text => text !== '')
  if (errors.length > 0)
    throw new ImportError(`${file} ${errors.join(', ')}. Columns are: ${known.join(', ')}`)
  const present = known.filter(name => names.includes(name))
  return { at: new Map(present.map(name => [name, names.indexOf(name)])), width: names.length }
}

function errorText(text: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${text} ${names.slice(0, 20).join(', ')}`
}

function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name)
}
