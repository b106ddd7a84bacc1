import { listValuationEvidence } from '@wbs/contract/valuations/evidence'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { canSeeValuation, noSuchValuation } from '../valuation-access.ts'
import { evidencePage } from './evidence-store.ts'

const beforeAll = '00000000-0000-0000-0000-000000000000'

export const handleListValuationEvidence = implement(
  listValuationEvidence,
  async function listValuationEvidence({ valuation_id, cursor: after = beforeAll, limit = 20 }, context) {
    const { standing, read, refuse } = context
    const [isVisible, rows] = await Promise.all([
      canSeeValuation({ standing, tx: read }, valuation_id),
      evidencePage(read, standing.workspace_id, valuation_id, { after, limit: limit + 1 }),
    ])
    if (!isVisible) throw noSuchValuation(refuse)
    return { result: pageOf(rows, limit, row => row.evidence_id) }
  },
)
