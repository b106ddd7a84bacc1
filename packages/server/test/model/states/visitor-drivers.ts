import { addBusiness } from '../../harness/businesses.ts'
import { unfinished } from '../../valuations/valuation-document.ts'
import type { DriverOf } from './driver.ts'
import type { StateWorld } from './state-world.ts'

export function visitorValuationDriver(world: StateWorld): DriverOf<'visitor_valuation'> {
  const { us, service, workspace_id, owner } = world
  return {
    async make() {
      const business_id = await addBusiness(service, { name: 'Corner Bakery' })
      await service.link(workspace_id, business_id, owner, 'edit')
      const { data, claim_token } = await service.anonymous.createValuation(unfinished())
      const { valuation_id } = data
      return {
        look: async () => ({
          state: await world.value<'unclaimed' | 'claimed' | 'expired'>(
            `select case when claimed_at is not null then 'claimed' when expires_at > now() then 'unclaimed' else 'expired' end as value
             from visitor_valuations where id = $1`,
            [valuation_id],
          ),
        }),
        moves: {
          claim: () => us.claimValuation({ valuation_id, business_id, claim_token: String(claim_token) }),
          expire: () =>
            service.sql(
              `update visitor_valuations set expires_at = now() - interval '1 second' where id = $1`,
              [valuation_id],
            ),
        },
      }
    },
    refusal: (_move, from) => (from === 'expired' ? { code: 'not_found' } : undefined),
  }
}
