import { addBusiness } from '../../harness/businesses.ts'
import type { Samples } from '../../operations/sample.ts'
import { unfinished } from '../valuation-document.ts'

export const samples = {
  claim_valuation: {
    async input({ service, workspace_id, people }) {
      const business_id = await addBusiness(service, { name: 'Corner Bakery' })
      await service.link(workspace_id, business_id, people.owner, 'edit')
      const { data, claim_token } = await service.anonymous.createValuation(unfinished())
      return { valuation_id: data.valuation_id, business_id, claim_token }
    },
    replay: 'by_token',
    readBack: false,
  },
} satisfies Samples
