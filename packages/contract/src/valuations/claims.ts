import { T } from '../json/type.ts'
import { mutation } from '../operation.ts'
import { changeReceipt } from '../receipts.ts'
import { id, uuid } from '../schema.ts'
import { ValuationId } from './valuations.ts'

export const claimValuation = mutation('claim_valuation', {
  tag: 'Valuations',
  audience: 'workspace',
  scope: 'valuations:claim',
  http: 'POST /v1/valuations/{valuation_id}/claim',
  summary: "Claim a guest's valuation into the Workspace.",
  description:
    'It is then a valuation of a Business of the Workspace, on which you need edit access. A token can be used once; whoever has it no longer reads the valuation with it. For each valuation you have ten tries an hour.',
  input: {
    valuation_id: ValuationId,
    business_id: id('biz'),
    claim_token: T.Unsafe<string>({
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'The secret from the answer in which the valuation was created.',
      examples: ['clm_0000000000000000000000000000000000000000000'],
    }),
  },
  output: {
    valuation_id: ValuationId,
    business_id: id('biz'),
    workspace_id: uuid(),
    attached: T.Boolean(),
  },
  status: 200,
  receipt: changeReceipt,
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['valuation.claimed'],
  limits: ['write', 'claim'],
})
