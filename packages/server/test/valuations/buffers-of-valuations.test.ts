import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { valuationsPage, type ValuationFilter } from '../../src/valuations/valuation-page-store.ts'
import { addBusinesses } from '../harness/businesses.ts'
import { createExplainedReads, type ExplainedReads } from '../harness/explained-reads.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { bakery } from './valuation-document.ts'

const valuations = 20_000
const anything: ValuationFilter = { business_id: undefined, subject_type: undefined, status: undefined }

/** A filter, and the most buffers that a page of 20 may read. */
const questions: Record<string, [filter: (business: string) => Partial<ValuationFilter>, most: number]> = {
  'the list of valuations': [() => ({}), 60],
  'those in draft': [() => ({ status: 'draft' }), 60],
  'those that are completed': [() => ({ status: 'completed' }), 60],
  'those of a Business': [business_id => ({ business_id }), 60],
  'those of portfolios': [() => ({ subject_type: 'portfolio' }), 60],
}

describe(`a page of ${valuations} valuations reads as much as it takes`, () => {
  let service: TestService
  let reads: ExplainedReads
  let workspace_id: string
  let user_id: string
  let business: string

  before(async () => {
    service = await startTestService()
    const owner = service.person('Olivia')
    user_id = owner.user_id
    workspace_id = await service.workspace('Of many valuations', owner)
    const names = Array.from({ length: 50 }, (_, i) => ({ name: `Business ${i}` }))
    const businesses = await addBusinesses(service, names)
    business = String(businesses[7])
    // A document is large enough to be stored outside of its row.
    const document = JSON.stringify({ ...bakery(), filler: Array.from({ length: 150 }, Math.random) })
    // What is filled in here fits together, so no foreign key is checked; and to compress it would take long.
    const options = '-c search_path=svc,public -c session_replication_role=replica'
    const client = new pg.Client({ ...service.testDatabase.address, options })
    await client.connect()
    await client.query('alter table valuations alter column document set storage external')
    await client.query(
      `insert into valuations (workspace_id, id, business_id, subject_type, document, summary, status, conclusion, created_by,
         created_at, updated_at, completed_at)
       select $1, 'val_' || lpad(to_hex(i), 32, '0'), ($4::text[])[i % 50 + 1],
         case when i % 1000 = 0 then 'portfolio' else 'business' end, $3::jsonb,
         '{"subject":{"type":"business","id":null,"name":"Corner Bakery"}}', case when i % 500 = 0 then 'completed' else 'draft' end,
         case when i % 500 = 0 then '{}'::jsonb end, $5, now(), now(), case when i % 500 = 0 then now() end
       from generate_series(1, $2::integer) i`,
      [workspace_id, valuations, document, businesses, user_id],
    )
    await client.query('vacuum analyze valuations')
    await client.end()
    reads = createExplainedReads(service.testDatabase.address)
  })
  after(async () => {
    await reads.close()
    await service.close()
  })

  for (const [what, [filterOf, most]] of Object.entries(questions))
    it(what, async () => {
      const scope = { 'svc.workspace_id': workspace_id, 'svc.user_id': user_id }
      const filter = { ...anything, ...filterOf(business) }
      const { answer, buffers } = await reads.run(
        { plan_cache_mode: 'force_custom_plan', ...scope },
        reader => valuationsPage(reader, workspace_id, filter, { after: '', limit: 20 }),
      )
      assert.equal(answer.length, 20)
      assert.ok(buffers <= most, `${buffers} buffers`)
    })
})
