import assert from 'node:assert/strict'
import { it } from 'node:test'
import { shortTypeErrors } from './check/type-errors.ts'

const long = `{ readonly tag: "Rooms"; ${'readonly scope: "rooms:write"; '.repeat(12)}}`

it('tells the innermost reason of a long error of the compiler, in one line', () => {
  const errors = [
    `rooms/pin-room.ts(8,18): error TS2345: Argument of type '${long}' is not assignable to parameter of type '${long}'.`,
    `  Type '${long}' is not assignable to type '${long}'.`,
    "    Types of property 'type' are incompatible.",
    `      Type '"room.restored"' is not assignable to type '"room.pinned"'.`,
    `rooms/pin-room.ts(9,1): error TS2345: Argument of type '${long}' is not assignable to parameter of type '${long}'.`,
    `  Property 'events' is missing in type '${long}' but required in type '${long}'.`,
  ]
  assert.deepEqual(shortTypeErrors(errors.join('\n')).split('\n'), [
    `rooms/pin-room.ts(8,18): error TS2345: Type '"room.restored"' is not assignable to type '"room.pinned"'.`,
    "rooms/pin-room.ts(9,1): error TS2345: Property 'events' is missing.",
  ])
})

it('leaves a short error as it is, with what explains it', () => {
  const error = "a.ts(1,1): error TS2322: Type 'A' is not assignable to type 'B'.\n  Property 'c' is missing."
  assert.equal(shortTypeErrors(error), error)
})

it('shortens an error that is long by its types alone', () => {
  const error = `a.ts(1,1): error TS2322: Type '${long}' is not assignable to type 'string'.`
  assert.equal(
    shortTypeErrors(error),
    "a.ts(1,1): error TS2322: Type '{ … }' is not assignable to type 'string'.",
  )
})
