/**
 * Whether a number, as text in decimal digits with or without an exponent, has the same value once it has been read as a double
 * and written again. A double keeps 15 significant digits, and loses others such as those of 9007199254740993 and 1e-400.
 */
export function isExact(number: string): boolean {
  const read = Number(number)
  return Number.isFinite(read) && normalForm(number) === normalForm(String(read))
}

/** The sign, the significant digits and the power of ten of a number: the same for every way to write it. */
function normalForm(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.')
  const digits = whole + fraction
  const end = lengthWithoutZeros(digits)
  const significant = digits.slice(0, end).replace(/^0+/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + digits.length - end
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${power}`
}

/** A pattern for zeros at the end would take quadratic time. */
function lengthWithoutZeros(digits: string): number {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return end
}

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown

/** The pointers to at most `most` numbers of a JSON text that are not exact. Throws SyntaxError if the text is not JSON. */
export function inexactNumbers(json: string, most: number): string[] {
  const mark = {}
  const marking: Reviver = (_, value, { source }) =>
    typeof value === 'number' && !isExact(source) ? mark : value
  const found: string[] = []
  const walk = (value: unknown, pointer: string): void => {
    if (value === mark && found.length < most) found.push(pointer)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value))
        walk(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  walk(JSON.parse(json, marking as Parameters<typeof JSON.parse>[1]), '')
  return found
}

/** What is wrong with a number that is not exact. */
export const inexactNumber =
  'The number would change, because a double cannot hold all of its digits. Use at most 15 significant digits; send an ID as a text.'
