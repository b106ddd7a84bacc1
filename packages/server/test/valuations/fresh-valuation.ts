import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'
import { bakery, type NewValuation } from './valuation-document.ts'

/** A new valuation of a Business of the Workspace: a draft, or with `run` a completed one. */
export async function freshValuation(
  { us, published_id }: World,
  about: Partial<NewValuation> = {},
): Promise<string> {
  const business_id = published_id as `biz_${string}`
  return (await us.createValuation(bakery({ business_id, ...about }))).data.valuation_id
}

/** The same, with the revision to send. */
export const freshValuationRevision = async (
  world: World,
  about: Partial<NewValuation> = {},
): Promise<Input> => ({ valuation_id: await freshValuation(world, about), expected_revision: 1 })
