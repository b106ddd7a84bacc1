import assert from 'node:assert/strict'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ValuationMethod } from '@wbs/contract/valuations/methods'
import { storedCalculation } from '../../../../src/valuations/engine/calculation/calculation.ts'
import { calculationTree } from '../../../../src/valuations/engine/calculation/tree.ts'
import { costOfCapital } from '../../../../src/valuations/engine/cost-of-capital/cost-of-capital.ts'
import type { Decimal } from '../../../../src/valuations/engine/decimal.ts'
import type { MethodFunction } from '../../../../src/valuations/engine/engine.ts'
import { normalize } from '../../../../src/valuations/engine/normalization/normalize.ts'
import { assertFollows } from '../calculation/assert-follows.ts'
import { contextOf, documentWith } from '../engine-context.ts'

/** What a method gives in a document, as the first of its methods. Each of its figures follows from its inputs. */
export function computedBy<Method extends ValuationMethod>(
  compute: MethodFunction<Method>,
  method: Method,
  change: Partial<ValuationDocument> = {},
) {
  const context = contextOf(documentWith({ ...change, methods: [method] }))
  const parts = { normalized: normalize(context), rates: costOfCapital(context) }
  const outcome = compute(context, parts, method, '/methods/0')
  const { nodes } = context.calc
  if (outcome.indicated) assertFollows(calculationTree(storedCalculation(outcome.indicated, nodes)))
  const ids = nodes.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  return {
    outcome,
    /** The value that the method indicates. Fails if it was rejected. */
    value(): Decimal {
      assert.ok(outcome.indicated, String(outcome.reason_rejected))
      return outcome.indicated.value
    },
    /** The value of a figure of the calculation. */
    figure(id: string): Decimal {
      const node = nodes.find(one => one.id === id)
      assert.ok(node, `The calculation has no figure ${id}, but ${ids.join(', ')}.`)
      return node.value
    },
    /** How far sensitivity tries other values of a figure. */
    spread(id: string) {
      const { low, high } = nodes.find(one => one.id === id)?.spread ?? {}
      return low && high ? [low.toFixed(), high.toFixed()] : null
    },
  }
}
