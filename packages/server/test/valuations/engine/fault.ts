import assert from 'node:assert/strict'
import { InvalidDocument } from '../../../src/valuations/engine/engine.ts'

/** That an InvalidDocument was thrown, with one fault. */
export const fault = (pointer: string, code: string) => (error: unknown) => {
  assert.ok(error instanceof InvalidDocument, String(error))
  assert.deepEqual(
    error.faults.map(one => ({ pointer: one.pointer, code: one.code })),
    [{ pointer, code }],
  )
  return true
}
