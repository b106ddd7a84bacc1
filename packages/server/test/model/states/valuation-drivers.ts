import { randomUUID } from 'node:crypto'
import { bakery } from '../../valuations/valuation-document.ts'
import type { DriverOf } from './driver.ts'
import type { StateWorld } from './state-world.ts'

export function valuationDriver({ us }: StateWorld): DriverOf<'valuation'> {
  return {
    async make() {
      const { data } = await us.createValuation(bakery({ engagement_type: 'calculation' }))
      const { valuation_id } = data
      const { file } = await us.createTextFile({ name: 'Returns.md', content: randomUUID() })
      const { file_id } = file
      const read = async () => (await us.getValuation({ valuation_id })).data
      const named = async () => ({ valuation_id, expected_revision: (await read()).revision })
      return {
        async look() {
          const { status, revision } = await read()
          return { state: status, revision }
        },
        moves: {
          update: async () =>
            us.updateValuation({ ...(await named()), subject: { type: 'business', name: randomUUID() } }),
          add_evidence: async () =>
            us.addValuationEvidence({ valuation_id, code: 'returns', file_id, dated_on: '2026-03-31' }),
          run: async () => us.runValuation(await named()),
          revise: async () => us.reviseValuation(await named()),
          sign: async () =>
            us.signValuation({ ...(await named()), statement: 'It is right.', qualifications: 'ASA.' }),
        },
      }
    },
  }
}
