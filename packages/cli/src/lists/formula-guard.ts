/** A text that a spreadsheet would take for a formula, even after white space or after apostrophes of its own. */
const formula = /^'*[\s\p{C}]*[=+\-@\t\r\n＝＋－＠]/u

/** A text as a cell of a CSV file: an apostrophe before it keeps a spreadsheet from running it as a formula. */
export const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** The text of a cell that `guarded` wrote, or of any other cell. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
