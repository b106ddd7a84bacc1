import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const pairs = Array.from({ length: 1024 }, (_, bits) => `${alphabet[bits >> 5]}${alphabet[bits & 31]}`)

/** The first ten characters of the bodies of a run: its time. */
export function timeOfBodies(at: Date): string {
  let time = ''
  for (let shift = 45; shift >= 0; shift -= 5) time += alphabet[Math.floor(at.getTime() / 2 ** shift) % 32]
  return time
}

/**
 * Creates the 26 characters after the prefix of an id: the time of the run and 80 random bits. All rows of a run have the same
 * time and random order, so that in the order of ids, which search uses, sources and states are mixed although files are
 * sorted.
 */
export function idBodies(at: Date): () => string {
  const time = timeOfBodies(at)
  const random = new Uint16Array(8 * 1024)
  let used = random.length
  return () => {
    if (used === random.length) {
      randomFillSync(random)
      used = 0
    }
    let body = time
    for (const end = used + 8; used < end; used++) body += pairs[(random[used] ?? 0) & 1023]
    return body
  }
}
