/** Workspaces have UUIDs, and uploads ids with a prefix. */
const id = /^(?:[A-Za-z0-9]+_[A-Za-z0-9]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const sha256 = /^[0-9a-f]{64}$/

/** Ids become parts of paths and keys, so an id of another form never reaches the store. */
export function checkedId(text: string): string {
  if (!id.test(text)) throw new Error('An id of another form cannot name content.')
  return text
}

export function checkedSha256(text: string): string {
  if (!isSha256(text)) throw new Error('A SHA-256 must have 64 hexadecimal digits in lower case.')
  return text
}

export const isId = (text: string): boolean => id.test(text)
export const isSha256 = (text: string): boolean => sha256.test(text)

const mostParts = 10_000

export function checkedPartNumber(part_number: number): number {
  if (!Number.isInteger(part_number) || part_number < 1 || part_number > mostParts)
    throw new Error(`A part must have a number from 1 to ${mostParts}.`)
  return part_number
}

/** The numbers from 1 to `part_count` that are not in the list. */
export function missingNumbers(part_numbers: readonly number[], part_count: number): number[] {
  const there = new Set(part_numbers)
  return Array.from({ length: part_count }, (_, at) => at + 1).filter(number => !there.has(number))
}
