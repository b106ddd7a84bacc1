/** Whether an If-None-Match header contains the tag. Weak and strong tags compare alike here (RFC 9110, 13.1.2). */
export function holds(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(entry => entry.trim().replace(/^W\//, '') === tag)
}
