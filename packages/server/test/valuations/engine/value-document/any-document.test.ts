import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { calculationTree } from '../../../../src/valuations/engine/calculation/tree.ts'
import { Decimal } from '../../../../src/valuations/engine/decimal.ts'
import { InvalidDocument, Unvaluable, type Valued } from '../../../../src/valuations/engine/engine.ts'
import { judgeDocument, valueDocument } from '../../../../src/valuations/engine/value-document.ts'
import { assertFollows } from '../calculation/assert-follows.ts'
import { resolvedWith } from '../documents.ts'
import { anyDocument } from './any-document.ts'

const resolved = resolvedWith()

/** Null if the document is refused, by one of the two errors that callers expect. */
function valued(document: Parameters<typeof valueDocument>[0]): Valued | null {
  try {
    return valueDocument(document, resolved)
  } catch (error) {
    if (error instanceof InvalidDocument || error instanceof Unvaluable) return null
    throw error
  }
}

test('any document of the right form is valued or refused with a reason; low, point and high stand in order', () => {
  let count = 0
  fc.assert(
    fc.property(anyDocument, document => {
      const found = valued(document)
      if (!found) return
      count++
      const { low, point, high } = found.result.conclusion
      assert.ok(new Decimal(low.amount).lessThanOrEqualTo(point.amount))
      assert.ok(new Decimal(high.amount).greaterThanOrEqualTo(point.amount))
      assertFollows(calculationTree(found.calculation))
      assert.deepEqual(valueDocument(document, resolved), found)
    }),
    { numRuns: 300 },
  )
  assert.ok(count > 20, `Only ${count} documents were valued.`)
})

test('what judging accepts is valued or has no conclusion, and what it refuses is refused', () => {
  let accepted = 0
  fc.assert(
    fc.property(anyDocument, document => {
      const faults = judgeDocument(document, resolved)
      assert.ok(faults.every(({ pointer, detail }) => pointer.startsWith('/') && detail.endsWith('.')))
      if (document.methods?.length && faults.length > 0)
        assert.throws(() => valueDocument(document, resolved), InvalidDocument)
      if (faults.length > 0) return
      accepted++
      try {
        valueDocument(document, resolved)
      } catch (error) {
        assert.ok(error instanceof Unvaluable, String(error))
      }
    }),
    { numRuns: 200 },
  )
  assert.ok(accepted > 10, `Only ${accepted} documents were accepted.`)
})
