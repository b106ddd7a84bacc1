import { createCipheriv } from 'node:crypto'
import { derivedKey } from '../../identity/derived-key.ts'
import type { InputError } from '@wbs/contract/problems'
import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { isKeptAfter } from './kept-events-store.ts'

/**
 * Encrypts positions of a Workspace's feed as cursors. A position counts all events, hidden ones included, so it must not leave
 * the service. Each position has exactly one cursor; without the key, nobody can tell the distance or the order of two.
 */
export interface FeedCursors {
  /** The cursor of a position; null for null. The position 0 is before the first event. */
  textOf<Position extends string | null>(position: Position): Position
  /** The position of a cursor; null if there is no such position. */
  positionOf(text: string): string | null
}

/** Each Workspace has its own key, so a cursor of another Workspace is not valid. */
export type CursorsOf = (workspace_id: string) => FeedCursors

/** Cursors are the numbers from 1 to this one, which has 18 digits. */
const cursorsEnd = 10n ** 18n - 1n

/** Positions are below this bound, so that about one in a million made-up cursors is valid. */
const positionsEnd = 2n ** 40n

const keyLabel = 'workspace business service: feed cursors of '

/** Nodes with the same secret create and read the same cursors. */
export const createFeedCursors = (secret: Buffer): CursorsOf =>
  cached(1000, workspace_id => {
    const scramble = scrambleWith(derivedKey(secret, keyLabel + workspace_id, 16))
    // Cached, because one event is sent to many clients at once.
    const textOf = cached(100, position => {
      const number = BigInt(position)
      if (number < 0n || number >= positionsEnd)
        throw new Error('A position of the feed is out of its range.')
      // The position 0 takes the number after the last position.
      const place = number === 0n ? positionsEnd : number
      return String(within(cursorsEnd, place - 1n, candidate => encrypted(candidate, scramble)) + 1n)
    })
    return {
      textOf: position => (position && textOf(position)) as typeof position,
      positionOf(text) {
        const place = within(cursorsEnd, BigInt(text) - 1n, candidate => decrypted(candidate, scramble)) + 1n
        if (place === positionsEnd) return '0'
        return place < positionsEnd ? String(place) : null
      },
    }
  })

/** The position of the cursor that a client sent; null without one. Throws validation_error if it is not valid. */
export function readCursor(
  cursors: FeedCursors,
  field: Pick<InputError, 'in' | 'pointer'>,
  text: string | null | undefined,
  refuse: Refuse<'validation_error'>,
): string | null {
  if (text === null || text === undefined) return null
  const position = cursors.positionOf(text)
  if (position !== null) return position
  throw refused(field, 'is not a cursor of this Workspace', refuse)
}

/**
 * The same for a cursor from which a client reads on. Throws validation_error also if events after it may have been removed,
 * which the client would otherwise miss without a word.
 */
export async function readKeptCursor(
  cursors: FeedCursors,
  field: Pick<InputError, 'in' | 'pointer'>,
  text: string | undefined,
  read: Reader,
  refuse: Refuse<'validation_error'>,
): Promise<string | null> {
  const position = readCursor(cursors, field, text, refuse)
  if (position === null || (await isKeptAfter(read, position))) return position
  throw refused(field, 'is older than the events that are kept', refuse)
}

function refused(
  field: Pick<InputError, 'in' | 'pointer'>,
  why: string,
  refuse: Refuse<'validation_error'>,
): Error {
  const detail = `${field.pointer.slice(1)} ${why}. Omit it to start again.`
  return refuse.validation_error(detail, { errors: [{ ...field, code: 'format', detail }] })
}

/** Caches the values of a function by its key; the cache is emptied when it is full. */
function cached<Value>(most: number, make: (key: string) => Value): (key: string) => Value {
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

/** Turns a permutation of 60 bits into one of the numbers below a bound by cycle walking: repeat until the result is below it. */
function within(bound: bigint, number: bigint, permute: (number: bigint) => bigint): bigint {
  let permuted = permute(number)
  while (permuted >= bound) permuted = permute(permuted)
  return permuted
}

/** The round function of the cipher: 30 bits from a key, the number of the round and 30 bits. */
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

/** A Feistel network, which is a permutation whatever the round function is. */
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
