// Characters that no reader sees, among them those that change the direction of text.
const invisible = /[\p{Cf}\p{Cn}\p{Co}\p{Cs}]/gu
const blanks = /[\p{Zl}\p{Zp}\p{Cc}\s]+/gu
// Most text is this already, and the classes above take far longer to match.
const asItIs = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

/**
 * User-supplied text as one line that reads as it is: without line breaks and invisible characters. Text that is written
 * from right to left is isolated, because it would otherwise change the order of the figures after it.
 */
export function shownLine(text: string): string {
  if (asItIs.test(text)) return text
  const line = text.replaceAll(invisible, '').replaceAll(blanks, ' ').trim()
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line
}

/** The same for text of several paragraphs, each of which is a line. */
export const shownLines = (text: string): string =>
  text
    .split(/[\n\r\u2028\u2029]+/)
    .map(shownLine)
    .filter(line => line !== '')
    .join('\n')
