/** Whether a byte continues a character of UTF-8 that began before it. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Whether bytes of UTF-8 begin with the first byte of a character, or are empty. */
export const beginsCharacter = (bytes: Uint8Array): boolean => !isContinuation(bytes[0])

/**
 * The longest part of the first `most` bytes that does not cut a character. `bytes` must have one byte more, unless the text
 * ends before. A character has at most four bytes, so a page of four or more is never empty.
 */
export function wholeCharacters(bytes: Buffer, most: number): Buffer {
  let end = Math.min(bytes.length, most)
  while (end > 0 && isContinuation(bytes[end])) end--
  return bytes.subarray(0, end)
}

/** The characters that begin in the first `length` bytes. The first bytes may belong to a character that began before. */
export function charactersBegunIn(bytes: Buffer, length: number): Buffer {
  let [start, end] = [0, Math.min(length, bytes.length)]
  while (isContinuation(bytes[start])) start++
  while (isContinuation(bytes[end])) end++
  return bytes.subarray(Math.min(start, end), end)
}
