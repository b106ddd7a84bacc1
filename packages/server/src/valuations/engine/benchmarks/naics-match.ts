/**
 * How closely the NAICS code of a benchmark row fits that of a Business: the number of digits that they share, 0 for a row of
 * all industries, null if the row is of another industry. The ranges 31-33, 44-45 and 48-49 are sectors, so they count as two
 * digits. Source: Office of Management and Budget, "North American Industry Classification System", 2022.
 */
export function naicsMatch(row: string | null, business: string | null): number | null {
  if (row === null) return 0
  if (business === null) return null
  const range = /^(\d\d)-(\d\d)$/u.exec(row)
  if (!range) return business.startsWith(row) ? row.length : null
  const sector = business.slice(0, 2)
  return sector >= (range[1] ?? '') && sector <= (range[2] ?? '') ? 2 : null
}
