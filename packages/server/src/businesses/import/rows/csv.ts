/** One record of a CSV file, or damaged text. */
export interface CsvRecord {
  /** The line of the file on which it begins, from 1. */
  line: number
  /** Its text without the line end, truncated if it is too long. */
  raw: string
  fields: string[]
  damage?: Damage
}

export type Damage = 'broken_quotes' | 'record_too_large'

/** A longer record, in UTF-16 units, is not read, unless the reader is given another limit. This limits the memory that an unclosed quote can use. */
export const longestRecord = 65_536

const keptOfTooLarge = 1000 // enough to recognize the record

/**
 * Reads RFC 4180 text in chunks, with LF or CRLF line ends. Empty lines are skipped.
 * A record with invalid quotes, or one that is too large, is returned as damaged up to the end of its first line, and reading
 * continues with the next line.
 */
export class CsvReader {
  #text = ''
  #at = 0
  #line = 1
  #skipping = false // inside a line that is too large, whose rest is skipped
  readonly #longest: number

  constructor({ longest = longestRecord } = {}) {
    this.#longest = longest
  }

  /** Takes the next chunk and returns the records that are complete. */
  read(chunk: string): CsvRecord[] {
    this.#text = this.#text.slice(this.#at) + chunk
    this.#at = 0
    return this.#records(false)
  }

  /** Returns the remaining records at the end of the text. */
  end(): CsvRecord[] {
    return this.#records(true)
  }

  #records(ended: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    const quotes = new Finder(this.#text, '"')
    while (this.#at < this.#text.length) {
      const lineEnd = this.#text.indexOf('\n', this.#at)
      const stop = lineEnd === -1 ? this.#text.length : lineEnd
      const whole = lineEnd !== -1 || ended
      if (this.#skipping) {
        this.#skipping = !whole
        this.#skipTo(stop, whole ? 1 : 0)
      } else if (quotes.next(this.#at) < stop) {
        const scan = scanRecord(this.#text, this.#at, ended, this.#longest)
        if (scan === 'unfinished') break
        if (typeof scan !== 'string') this.#add(records, scan.end, scan.fields)
        else if (whole || stop - this.#at > this.#longest) this.#addDamaged(records, stop, whole, scan)
        else break
      } else if (stop - this.#at > this.#longest) this.#addDamaged(records, stop, whole, 'record_too_large')
      else if (whole) this.#add(records, stop)
      else break
    }
    return records
  }

  #add(records: CsvRecord[], end: number, fields?: string[]): void {
    const raw = this.#upTo(end)
    if (raw !== '') records.push({ line: this.#line, raw, fields: fields ?? raw.split(',') })
    this.#skipTo(end, fields ? raw.split('\n').length : 1)
  }

  #addDamaged(records: CsvRecord[], end: number, whole: boolean, damage: Damage): void {
    const kept = damage === 'record_too_large' ? keptOfTooLarge : this.#longest
    const raw = this.#upTo(Math.min(end, this.#at + kept))
    records.push({ line: this.#line, raw, fields: [], damage })
    this.#skipping = !whole
    this.#skipTo(end, whole ? 1 : 0)
  }

  #upTo(end: number): string {
    const cut = end > this.#at && this.#text[end - 1] === '\r' ? end - 1 : end
    return this.#text.slice(this.#at, cut)
  }

  #skipTo(end: number, lines: number): void {
    this.#at = end + 1
    this.#line += lines
  }
}

/** Finds a character from increasing positions, reading no part of the text twice. */
class Finder {
  readonly #text: string
  readonly #sought: string
  #found = -1

  constructor(text: string, sought: string) {
    this.#text = text
    this.#sought = sought
  }

  next(from: number): number {
    if (this.#found < from) this.#found = this.#text.indexOf(this.#sought, from)
    if (this.#found === -1) this.#found = Infinity
    return this.#found
  }
}

interface Scan {
  fields: string[]
  end: number
}

/** Reads the record at `start`, which contains quotes. `end` is the position of its line end. */
function scanRecord(
  text: string,
  start: number,
  ended: boolean,
  longest: number,
): Scan | Damage | 'unfinished' {
  const fields: string[] = []
  for (let at = start; ; at++) {
    const field = text[at] === '"' ? scanQuoted(text, at + 1) : scanBare(text, at)
    at = field?.end ?? text.length
    if (at - start > longest) return 'record_too_large'
    if (!field) return ended ? 'broken_quotes' : 'unfinished'
    fields.push(field.value)
    if (text[at] === ',') continue
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    if (text[at] === '\n') return { fields, end: at }
    // A quote at the end of a chunk may be the first of two, so a record can end there only at the end of the file.
    if (at >= text.length - 1 && !ended) return 'unfinished'
    return at >= text.length ? { fields, end: at } : 'broken_quotes'
  }
}

interface Field {
  value: string
  end: number
}

function scanQuoted(text: string, start: number): Field | undefined {
  let value = ''
  for (let at = start; ;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return undefined
    if (text[quote + 1] !== '"') return { value: value + text.slice(at, quote), end: quote + 1 }
    value += text.slice(at, quote + 1)
    at = quote + 2
  }
}

const bareEnd = /[,"\n]/g

function scanBare(text: string, start: number): Field {
  bareEnd.lastIndex = start
  const end = bareEnd.exec(text)?.index ?? text.length
  const cut = text[end] === '\n' && end > start && text[end - 1] === '\r' ? end - 1 : end
  return { value: text.slice(start, cut), end: cut }
}
