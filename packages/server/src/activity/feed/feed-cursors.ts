import { createCipheriv, hkdfSync } from 'node:crypto'
import type { InputError } from '@wbs/contract/problems'
import type { Refuse } from '../../call/problem.ts'

/**
 * The texts by which clients name positions in a Workspace's feed. Positions count what happened, hidden events included, so
 * they never leave. Each has one text: without the key it says neither how far two of them lie apart, nor which is later.
 */
export interface FeedCursors {
  /** The text of a position; null of none. */
  textOf(position: string | null): string | null
  /** The position that a text names; null where it names none. */
  positionOf(text: string): string | null
}

/** The texts of each Workspace are its own: in another they name nothing. */
export type CursorsOf = (workspace_id: string) => FeedCursors

/** Texts are the numbers from 1 to this one, which has 18 digits. */
const texts = 10n ** 18n - 1n

/** Positions end before this one. Of a million texts that somebody makes up, about one names a position. */
const positionsEnd = 2n ** 40n

const keyLabel = 'workspace business service: feed cursors of '

/** Nodes with the same secret make and read the same texts. */
export const createFeedCursors = (secret: Buffer): CursorsOf =>
  remembering(1000, workspace_id => {
    const scramble = scrambleWith(Buffer.from(hkdfSync('sha256', secret, '', keyLabel + workspace_id, 16)))
    // Many who listen are told of one event at once.
    const textOf = remembering(100, position => {
      const number = BigInt(position)
      if (number < 1n || number >= positionsEnd)
        throw new Error('A position of the feed is out of its range.')
      return String(within(texts, number - 1n, one => encrypted(one, scramble)) + 1n)
    })
    return {
      textOf: position => position && textOf(position),
      positionOf(text) {
        const number = within(texts, BigInt(text) - 1n, one => decrypted(one, scramble)) + 1n
        return number < positionsEnd ? String(number) : null
      },
    }
  })

/** The position that a client goes on from; null without a cursor. Throws validation_error where the text names none. */
export function readCursor(
  cursors: FeedCursors,
  place: Pick<InputError, 'in' | 'pointer'>,
  text: string | null | undefined,
  refuse: Refuse<'validation_error'>,
): string | null {
  if (text === null || text === undefined) return null
  const position = cursors.positionOf(text)
  if (position !== null) return position
  const detail = `${place.pointer.slice(1)} is not a cursor of this Workspace. Omit it to start again.`
  throw refuse.validation_error(detail, { errors: [{ ...place, code: 'format', detail }] })
}

/** Keeps what was made for some keys, and begins anew when it has kept so many. */
function remembering<Value>(most: number, make: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>()
  return key => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make(key)
    if (kept.size >= most) kept.clear()
    kept.set(key, made)
    return made
  }
}

/** A permutation of 60 bits permutes what lies below a bound as well, if it is repeated until it comes back there. */
function within(bound: bigint, number: bigint, permute: (number: bigint) => bigint): bigint {
  let one = permute(number)
  while (one >= bound) one = permute(one)
  return one
}

/** Gives 30 bits that depend on a key, on the number of a round, and on 30 bits. */
type Scramble = (round: number, half: number) => number

function scrambleWith(key: Buffer): Scramble {
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const block = Buffer.alloc(16)
  return (round, half) => {
    block.writeUInt32BE(round, 0)
    block.writeUInt32BE(half, 4)
    return cipher.update(block).readUInt32BE(0) >>> 2
  }
}

const rounds = 10
const halfBits = 30n
const halfMask = (1n << halfBits) - 1n

/** A Feistel network: whatever the rounds do, it can be undone, so it maps no two numbers to one. */
function encrypted(number: bigint, scramble: Scramble): bigint {
  let [left, right] = halves(number)
  for (let round = 0; round < rounds; round++) [left, right] = [right, left ^ scramble(round, right)]
  return joined(left, right)
}

function decrypted(number: bigint, scramble: Scramble): bigint {
  let [left, right] = halves(number)
  for (let round = rounds - 1; round >= 0; round--) [left, right] = [right ^ scramble(round, left), left]
  return joined(left, right)
}

const halves = (number: bigint): [number, number] => [Number(number >> halfBits), Number(number & halfMask)]
const joined = (left: number, right: number): bigint => (BigInt(left) << halfBits) | BigInt(right)
