import type { ValueType } from '@wbs/contract/typed-values'
import { isDay } from '@wbs/server/businesses/fact-formats'
import { unguarded } from '../formula-guard.ts'
import { readDecimal } from '../plain-decimal.ts'

/** What a cell says: a value, nothing, or what is wrong with it. */
export type CellRead = { value: string | number | boolean } | 'empty' | { wrong: string }

/** Reads a cell of a column. White space around anything but a text means nothing. */
export function readCell(cell: string, value_type: ValueType): CellRead {
  if (value_type === 'text') return readText(unguarded(cell))
  const text = unguarded(cell.trim())
  return text === '' ? 'empty' : readers[value_type](text)
}

const mostCharacters = 10_000

function readText(text: string): CellRead {
  if (text === '') return 'empty'
  const isLong = text.length > mostCharacters && Array.from(text).length > mostCharacters
  return isLong ? { wrong: 'a text has at most 10,000 characters' } : { value: text }
}

const readers = { number: readNumber, boolean: readBoolean, date: readDate }

function readNumber(text: string): CellRead {
  const read = readDecimal(text)
  if (!read) return { wrong: 'a number must be a plain decimal, such as -1234.5' }
  return read.exact ? { value: read.value } : { wrong: 'the number has more digits than can be stored' }
}

function readBoolean(text: string): CellRead {
  if (/^(?:true|yes)$/i.test(text)) return { value: true }
  return /^(?:false|no)$/i.test(text)
    ? { value: false }
    : { wrong: 'a boolean must be true, false, yes or no' }
}

function readDate(text: string): CellRead {
  return isDay(text)
    ? { value: text }
    : { wrong: 'a date must be a day from 1000-01-01 to 2199-12-31, as YYYY-MM-DD' }
}
