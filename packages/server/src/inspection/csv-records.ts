const [comma, carriageReturn, lineFeed] = [0x2c, 0x0d, 0x0a]
const endsField = (code: number) => code === comma || code === lineFeed || code === carriageReturn

/** Text with more fields is not read, because hostile text can have a field for each character. */
export const mostFields = 100_000

/**
 * The records of CSV text as in RFC 4180, at most `most`; lines may also end in LF or CR alone. An empty line is a record with
 * one empty field, so that records are counted as a spreadsheet counts rows. Undefined if a quote is not closed, text follows
 * a closing quote, or there are too many fields. Takes time in proportion to the text, also for hostile text.
 */
export function csvRecords(text: string, most: number): string[][] | undefined {
  const records: string[][] = []
  let left = mostFields
  for (let at = 0; at < text.length && records.length < most;) {
    const fields: string[] = []
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, at + 1) : bareField(text, at)
      if (!field || left-- === 0) return undefined
      fields.push(field.value)
      at = field.end + 1
      if (text[field.end] === ',') continue
      if (text[field.end] === '\r' && text[at] === '\n') at++
      break
    }
    records.push(fields)
  }
  return records
}

interface Field {
  value: string
  /** The position behind it: of a comma, of a line end, or the end of the text. */
  end: number
}

function bareField(text: string, start: number): Field {
  let end = start
  while (end < text.length && !endsField(text.charCodeAt(end))) end++
  return { value: text.slice(start, end), end }
}

/** The field whose opening quote is before `start`. */
function quotedField(text: string, start: number): Field | undefined {
  let quote = text.indexOf('"', start)
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
  if (quote === -1) return undefined
  const next = text[quote + 1]
  if (next !== undefined && !/[,\r\n]/.test(next)) return undefined
  return { value: text.slice(start, quote).replaceAll('""', '"'), end: quote + 1 }
}
