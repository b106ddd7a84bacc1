/** A line of a CSV file by RFC 4180, without its line end. */
export const csvLine = (cells: readonly string[]): string => cells.map(quoteCell).join(',')

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
