/** Bytes from `start` (included) to `end` (excluded). */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Reads the header Range (RFC 9110, 14.2) for content of this size. Null: send the whole content. That is also the answer
 * to a header that is not well formed, and to several ranges, whose parts would need an encoding of their own. Of empty
 * content there is no range, and clients that always ask for one expect an empty answer.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const specs = /^bytes=(.*)$/i.exec(header?.trim() ?? '')?.[1]
  if (specs === undefined || size === 0) return null
  const ranges = specs
    .split(',')
    .map(range => range.trim())
    .filter(range => range !== '')
  const [only] = ranges
  return only === undefined || ranges.length > 1 ? null : rangeOf(only, size)
}

function rangeOf(spec: string, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(spec) ?? []
  if (first === '') return last === '' ? null : suffixOf(Number(last), size)
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) }
}

const suffixOf = (length: number, size: number): ByteRange | 'unsatisfiable' =>
  length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size }
