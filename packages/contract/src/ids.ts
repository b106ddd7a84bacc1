/** The prefixes of ids whose body is 26 characters of Crockford base32, and what each identifies. */
export const idPrefixes = {
  biz: 'Business',
  cls: 'classification',
  loc: 'location',
  obs: 'observation',
  evt: 'event',
  rom: 'Room',
  fil: 'File',
  fvr: 'File version',
  rfl: 'Room file',
  upl: 'upload',
  list: 'List',
  gol: 'Goal',
  tsk: 'Task',
  apr: 'approval',
  pfl: 'portfolio',
  ast: 'asset',
  req: 'request',
} as const
export type IdPrefix = keyof typeof idPrefixes

/** An id such as `biz_01JD…`. The prefix names the kind of resource; the body is 128 bits that begin with the time of creation. */
export type Id<P extends IdPrefix> = `${P}_${string}`

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 26 characters of 5 bits hold 130 bits, so a first character above 7 would be an alias of an id of 128 bits. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`
}

const random = new Uint8Array(10 * 512)
let unused = 0
let lastMillisecond = -1
const tail = new Uint16Array(16) // the 80 random bits, five in each element
const unorderedTail = new Uint16Array(16)

/** A new id. Ids that a process creates in one millisecond ascend too, so that sorting by id keeps the order of creation. */
export function newId<P extends IdPrefix>(prefix: P, at: number = Date.now()): Id<P> {
  if (at === lastMillisecond) increment(tail)
  else refill(tail)
  lastMillisecond = at
  return written(prefix, at, tail)
}

/**
 * A new id that is in no order with others of its millisecond. Use it for records of which a caller may see only some:
 * consecutive ids would reveal how many hidden records lie between two of them.
 */
export function newUnorderedId<P extends IdPrefix>(prefix: P, at: number): Id<P> {
  refill(unorderedTail)
  return written(prefix, at, unorderedTail)
}

function written<P extends IdPrefix>(prefix: P, at: number, digits: Uint16Array): Id<P> {
  let body = ''
  for (let shift = 45; shift >= 0; shift -= 5) body += alphabet[Math.floor(at / 2 ** shift) % 32]
  for (const digit of digits) body += alphabet[digit]
  return `${prefix}_${body}`
}

function refill(digits: Uint16Array): void {
  if (unused === 0) {
    crypto.getRandomValues(random)
    unused = random.length
  }
  const bytes = random.subarray(unused - 10, unused)
  unused -= 10
  for (let i = 0; i < 16; i++) {
    const bit = i * 5
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0)
    digits[i] = (pair >> (11 - (bit & 7))) & 31
  }
}

function increment(digits: Uint16Array): void {
  for (let i = 15; i >= 0; i--) {
    const digit = digits[i] ?? 0
    digits[i] = (digit + 1) & 31
    if (digit < 31) return
  }
}
