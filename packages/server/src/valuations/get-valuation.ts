import { getValuation } from '@wbs/contract/valuations/valuations'
import { implement, type QueryContext } from '../call/implement.ts'
import { visibleValuation } from './valuation-access.ts'
import type { ValuationRow } from './valuation-store.ts'
import { presentValuation } from './valuation-view.ts'

type Context = QueryContext<typeof getValuation>

/** `asVisitor`: the valuation that a visitor reads with a claim token. */
export const handleGetValuation = (
  asVisitor: (context: Context, valuation_id: string) => Promise<ValuationRow>,
) =>
  implement(getValuation, async function getValuation({ valuation_id }, context) {
    const { standing } = context
    const valuation = standing
      ? await visibleValuation({ ...context, standing }, valuation_id)
      : await asVisitor(context, valuation_id)
    return { result: { data: presentValuation(valuation) }, revision: valuation.revision }
  })
