import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refuseWith } from '../../src/call/problem.ts'
import { requireRevision } from '../../src/call/revision.ts'

describe('a change of a resource with the revision 3', () => {
  const change = (expected: number) => () =>
    requireRevision({ revision: 3 }, expected, ['title'], refuseWith(['revision_conflict']))

  it('is accepted if its caller read this revision', () => {
    assert.doesNotThrow(change(3))
  })

  for (const expected of [2, 4])
    it(`is refused if its caller expects the revision ${expected}`, () => {
      assert.throws(change(expected), {
        code: 'revision_conflict',
        members: { expected, current: 3, changed_fields: ['title'] },
      })
    })
})
