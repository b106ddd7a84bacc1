import { valueTypes, type ValueType } from '@wbs/contract/typed-values'
import { CommandError } from '../../command-error.ts'
import { columnsNamed, isReserved, rejectHeaders, requireColumn, withId } from '../columns.ts'
import { unguarded } from '../formula-guard.ts'
import type { Column } from '../list-target.ts'
import type { MatchName, Matching } from './matching.ts'

/** A column whose values this program can read. */
export interface KnownColumn extends Column {
  value_type: ValueType
}

/** What the cells of a row mean, by their positions. */
export interface Layout {
  /** The headers as the file has them. */
  headers: readonly string[]
  /** Where the cells are that name the member. */
  key: readonly number[]
  values: readonly { at: number; column: KnownColumn }[]
  /** Headers that are not imported. */
  ignored: readonly string[]
}

type Meaning = { part: number } | { column: Column } | 'ignored'

/** Reads the headers of a file. Throws CommandError for one that means nothing, or of which two mean the same. */
export function readLayout(
  headers: readonly string[],
  columns: readonly Column[],
  match: MatchName,
  { headers: keyHeaders }: Pick<Matching, 'headers'>,
  mappings: readonly string[],
): Layout {
  const texts = headers.map(header => unguarded(header.trim()))
  const mapped = readMappings(mappings, texts)
  const meanings = texts.map((header): Meaning => {
    const target = mapped.get(header)
    return target === undefined
      ? meaningOf(header, columns, keyHeaders)
      : targetOf(target, columns, keyHeaders)
  })
  requireDistinct(texts, meanings)
  requireNoOther(texts, meanings, columns, header => mapped.has(header))
  const key = keyHeaders.map((_, part) =>
    meanings.findIndex(meaning => meaning !== 'ignored' && 'part' in meaning && meaning.part === part),
  )
  if (key.includes(-1)) throw new CommandError(missingKey(match, keyHeaders))
  const values = meanings.flatMap((meaning, at) =>
    meaning !== 'ignored' && 'column' in meaning ? [{ at, column: known(meaning.column) }] : [],
  )
  if (values.length === 0) throw new CommandError('No header of the file names a column of the List.')
  return { headers, key, values, ignored: texts.filter((_, at) => meanings[at] === 'ignored') }
}

const isKnown = (column: Column): column is KnownColumn => valueTypes.some(type => type === column.value_type)

/** Throws CommandError for a type that a later version of the service added. */
function known(column: Column): KnownColumn {
  if (isKnown(column)) return column
  throw new CommandError(
    `The column "${column.name}" holds values of the type ${column.value_type}, which this version of wbs cannot read.`,
  )
}

/** What --map says, by header. A header may contain the sign =, so the longest one counts. */
function readMappings(mappings: readonly string[], headers: readonly string[]): Map<string, string> {
  return new Map(
    mappings.map(text => {
      const [header] = headers
        .filter(header => text.startsWith(`${header}=`))
        .toSorted((a, b) => b.length - a.length)
      if (header === undefined)
        throw new CommandError(`--map "${text}" names no header of the file. Write it as "Header=Column".`)
      return [header, text.slice(header.length + 1).trim()]
    }),
  )
}

function targetOf(target: string, columns: readonly Column[], keyHeaders: readonly string[]): Meaning {
  if (target === '') return 'ignored'
  if (keyHeaders.includes(target)) return { part: keyHeaders.indexOf(target) }
  return { column: requireColumn(columns, target) }
}

function meaningOf(header: string, columns: readonly Column[], keyHeaders: readonly string[]): Meaning {
  if (keyHeaders.includes(header)) return { part: keyHeaders.indexOf(header) }
  if (header === '' || isReserved(header)) return 'ignored'
  if (columnsNamed(columns, header).length === 0)
    throw new CommandError(
      `The List has no column "${header}". Say what the header means by --map "${header}=Column", or leave it out by --map "${header}=".`,
    )
  return { column: requireColumn(columns, header) }
}

function requireDistinct(headers: readonly string[], meanings: readonly Meaning[]): void {
  const seen = new Map<string, string>()
  for (const [at, meaning] of meanings.entries()) {
    if (meaning === 'ignored') continue
    const what = 'part' in meaning ? `part ${meaning.part}` : meaning.column.column_id
    const [header = '', before] = [headers[at], seen.get(what)]
    if (before !== undefined)
      throw new CommandError(
        `The headers "${before}" and "${header}" mean the same. Leave one out by --map "${header}=".`,
      )
    seen.set(what, header)
  }
}

/** Throws CommandError for a header such as status if the List has a column of that name and no header names it by its ID. */
function requireNoOther(
  headers: readonly string[],
  meanings: readonly Meaning[],
  columns: readonly Column[],
  isMapped: (header: string) => boolean,
): void {
  const named = new Set(
    meanings.flatMap(meaning => (meaning !== 'ignored' && 'column' in meaning ? [meaning.column] : [])),
  )
  for (const [at, header] of headers.entries()) {
    const fact = meanings[at] === 'ignored' ? '' : header
    const other = columns.find(({ name }) => name === header)
    if (!other || named.has(other) || isMapped(header) || !isReserved(header)) continue
    throw new CommandError(
      `"${header}" may be the fact of the Business or the column of the List. For the column, write the header "${withId(other)}"; for the fact, use --map "${header}=${fact}".`,
    )
  }
}

const missingKey = (match: MatchName, headers: readonly string[]): string =>
  `--match ${match} requires the ${headers.length === 1 ? 'header' : 'headers'} ${headers.join(' and ')}. Name another way by --match, or the header of the file by --map.`

/** The positions of the cells that a file of rejected rows repeats. */
export const repeatedCells = ({ headers }: Layout): number[] =>
  headers.flatMap((header, at) => ((rejectHeaders as readonly string[]).includes(header.trim()) ? [] : [at]))
