import assert from 'node:assert/strict'
import type { Seen } from './outside/work-in-room.ts'

/** Fails if the program outside the repository did not see what the service did. */
export function assertSeen(seen: Seen): void {
  assert.equal(seen.found.length, 2, 'the search yields two pages of one')
  assert.match(seen.room_id, /^rom_/)
  assert.equal(seen.problem, 'not_found')
  assert.deepEqual(seen.phases, ['hashing', 'sending', 'completing', 'processing'])
  assert.equal(seen.sent_bytes[0], 0)
  assert.equal(seen.sent_bytes.at(-1), 'The bakery on Main Street. '.length * 400_000)
  assert.deepEqual(
    seen.sent_bytes,
    seen.sent_bytes.toSorted((a, b) => a - b),
  )
  assert.equal(seen.text, 'The bakery')
  assert.ok(seen.events.includes('file.ready'), seen.events.join())
}
