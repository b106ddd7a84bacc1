import { explainValuation } from '@wbs/contract/valuations/reading'
import { implement } from '../../call/implement.ts'
import { calculationTree } from '../engine/calculation/tree.ts'
import { readCompleted } from '../visitors/visitor-access.ts'

export const handleExplainValuation = implement(
  explainValuation,
  async function explainValuation({ valuation_id }, context) {
    const { calculation } = await readCompleted(context, valuation_id)
    return { result: { data: calculationTree(calculation) } }
  },
)
