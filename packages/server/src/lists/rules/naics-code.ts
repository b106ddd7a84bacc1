/** The sectors that NAICS writes as a range, and the two digits with which their codes begin. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  '31-33': ['31', '32', '33'],
  '44-45': ['44', '45'],
  '48-49': ['48', '49'],
}

/**
 * Whether a code is under another one of the same vintage: two to five digits are a prefix, and a range of sectors has all codes
 * of its sectors. A code that is stored as a range is under this range alone. It must find what `naics_terms` of the database
 * finds.
 */
export function isUnderCode(code: string, operand: string): boolean {
  if (code === operand) return true
  if (code.includes('-')) return false
  return ranges[operand]?.includes(code.slice(0, 2)) ?? code.startsWith(operand)
}
