/**
 * Whether a number, as text in decimal digits with or without an exponent, has the same value once it has been read as a double
 * and written again. A double keeps 15 significant digits, and loses others such as those of 9007199254740993 and 1e-400.
 */
export function isExact(number: string): boolean {
  const read = Number(number)
  if (!Number.isFinite(read)) return false
  const written = String(read)
  return written === number || normalForm(number) === normalForm(written)
}

const [point, zero, nine, upperE, lowerE] = [0x2e, 0x30, 0x39, 0x45, 0x65]

/** The sign, the significant digits and the power of ten of a number: the same for every way to write it. */
function normalForm(number: string): string {
  let [first, last, pointAt, end] = [-1, -1, -1, number.length]
  for (let at = 0; at < end; at++) {
    const code = number.charCodeAt(at)
    if (code === point) pointAt = at
    else if (code === upperE || code === lowerE) end = at
    else if (code > zero && code <= nine) {
      if (first < 0) first = at
      last = at
    }
  }
  if (first < 0) return '0'
  if (pointAt < 0) pointAt = end
  const digits = number.slice(first, last + 1).replace('.', '')
  const power = Number(number.slice(end + 1)) + pointAt - last - (last < pointAt ? 1 : 0)
  return `${number.startsWith('-') ? '-' : ''}${digits}e${power}`
}

/**
 * The pointers to the first numbers of a JSON text, at most `most`, that are not exact. Throws SyntaxError if the text is not JSON.
 * It looks no further than to the last of them, because a body can have very many.
 */
export function inexactNumbers(json: string, most: number): string[] {
  JSON.parse(json)
  const found: string[] = []
  const open: Place[] = []
  let isKey = false
  for (let at = 0; at < json.length && found.length < most; at++) {
    const char = json[at] as string
    const place = open.at(-1)
    if (char === '{' || char === '[') {
      open.push(char === '{' ? '' : 0)
      isKey = char === '{'
    } else if (char === '}' || char === ']') {
      open.pop()
      isKey = false
    } else if (char === ',') {
      isKey = typeof place === 'string'
      if (typeof place === 'number') open[open.length - 1] = place + 1
    } else if (char === '"') {
      const end = endOfText(json, at)
      if (isKey) open[open.length - 1] = JSON.parse(json.slice(at, end)) as string
      isKey = false
      at = end - 1
    } else if (char === '-' || isDigit(char)) {
      const end = endOfNumber(json, at)
      if (!isExact(json.slice(at, end))) found.push(pointerOf(open))
      at = end - 1
    }
  }
  return found
}

/** The key of an object, or the index of a list, at which a text is read. */
type Place = string | number

const pointerOf = (places: readonly Place[]): string =>
  places.map(place => `/${String(place).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

function endOfText(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9'

/** The end of a number that begins at `start`. */
function endOfNumber(json: string, start: number): number {
  let end = start + 1
  while (isDigit(json[end]) || (json[end] !== undefined && '.eE+-'.includes(json[end] as string))) end++
  return end
}

/** What is wrong with a number that is not exact. */
export const inexactNumber =
  'The number would change, because a double cannot hold all of its digits. Use at most 15 significant digits; send an ID as a text.'
