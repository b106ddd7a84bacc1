import { compareValuations } from '@wbs/contract/valuations/reading'
import { implement } from '../../call/implement.ts'
import type { EngineThreads } from '../engine-threads/engine-threads.ts'
import { readCompletedValuation } from '../valuation-access.ts'
import { resolvedAgain } from './resolved-again.ts'

export const handleCompareValuations = (engine: EngineThreads) =>
  implement(compareValuations, async function compareValuations({ valuation_id, with: with_id }, context) {
    const [before, after] = await Promise.all(
      [valuation_id, with_id].map(async id => {
        const { valuation, calculation } = await readCompletedValuation(context, id)
        const resolved = await resolvedAgain(context, context.read, valuation)
        return { document: valuation.document, calculation, resolved }
      }),
    )
    if (!before || !after) throw new Error('There are two valuations to compare.')
    const { workspace_id } = context.standing
    const compared = await context.waitWithoutSlot(() =>
      engine.compare(workspace_id, before, after, context.gone()),
    )
    return { result: { data: { valuation_id, with: with_id, ...compared } } }
  })
