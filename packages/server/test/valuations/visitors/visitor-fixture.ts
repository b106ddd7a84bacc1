import { randomUUID } from 'node:crypto'
import { addBusiness } from '../../harness/businesses.ts'
import {
  startTestService,
  type Person,
  type TestService,
  type TestServiceOptions,
} from '../../harness/service.ts'
import { unfinished, type NewValuation } from '../valuation-document.ts'

/** A Workspace that can claim: its owner, and a Business on which it has edit access. */
export interface Claimer {
  workspace_id: string
  owner: Person
  business_id: string
  /** Claims a valuation in this Workspace, as its owner, under a new key unless one is given. */
  claim(made: Made, idempotency_key?: string): ReturnType<Person['client']['claimValuation']>
}

/** A valuation that a visitor made, with its token. */
export interface Made {
  valuation_id: string
  claim_token: string
}

export interface VisitorWorld {
  service: TestService
  claimer(name?: string): Promise<Claimer>
  /** A valuation of a visitor: a draft, unless the document says otherwise. */
  made(document?: Partial<NewValuation>): Promise<Made>
  /** Sends the request that creates a valuation, as a visitor unless the headers say otherwise. */
  send(document: object, headers?: Record<string, string>): ReturnType<TestService['request']>
  /** Lets the 30 days of a valuation be over for as many days. */
  expire(valuation_id: string, days?: number): Promise<void>
  close(): Promise<void>
}

export async function makeVisitorWorld(options: TestServiceOptions = {}): Promise<VisitorWorld> {
  const service = await startTestService(options)
  return {
    service,
    async claimer(name = 'Harbor') {
      const owner = service.person('Olivia')
      const workspace_id = await service.workspace(name, owner)
      const business_id = await addBusiness(service, { name: 'Corner Bakery' })
      await service.link(workspace_id, business_id, owner, 'edit')
      return {
        workspace_id,
        owner,
        business_id,
        claim: (made, idempotency_key = randomUUID()) =>
          owner.client.claimValuation({ ...made, business_id }, { workspace_id, idempotency_key }),
      }
    },
    async made(document = {}) {
      const { data, claim_token } = await service.anonymous.createValuation(unfinished(document))
      return { valuation_id: data.valuation_id, claim_token: String(claim_token) }
    },
    send: (document, headers = {}) =>
      service.request('/v1/valuations', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...headers },
        body: JSON.stringify(document),
      }),
    async expire(valuation_id, days = 0) {
      await service.sql(
        `update visitor_valuations set expires_at = now() - make_interval(days => $2) where id = $1`,
        [valuation_id, days],
      )
    },
    close: () => service.close(),
  }
}

/** An answer without the parts that differ between any two answers. */
export function withoutIds({ status, headers, body }: Awaited<ReturnType<TestService['request']>>): unknown {
  const { request_id: _, instance: __, ...rest } = body as Record<string, unknown>
  const own = new Set(['svc-request-id', 'date', 'keep-alive', 'connection', 'ratelimit'])
  return { status, headers: [...headers].filter(([name]) => !own.has(name)), rest }
}
