import { getValuationSensitivity } from '@wbs/contract/valuations/reading'
import { implement } from '../../call/implement.ts'
import { readCompleted } from '../visitors/visitor-access.ts'

export const handleGetValuationSensitivity = implement(
  getValuationSensitivity,
  async function getValuationSensitivity({ valuation_id }, context) {
    const { valuation } = await readCompleted(context, valuation_id)
    return { result: { data: valuation.result.sensitivity } }
  },
)
