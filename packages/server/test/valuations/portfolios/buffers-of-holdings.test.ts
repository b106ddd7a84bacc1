import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { Reader } from '../../../src/database/statement.ts'
import { assetsPage } from '../../../src/valuations/assets/asset-page-store.ts'
import { benchmarkSetsPage } from '../../../src/valuations/benchmark-sets/benchmark-set-store.ts'
import { chainOf } from '../../../src/valuations/portfolios/holdings/holding-graph-store.ts'
import { holdingsPage } from '../../../src/valuations/portfolios/holdings/holding-store.ts'
import { portfoliosPage } from '../../../src/valuations/portfolios/portfolio-page-store.ts'
import { holdingsBelow } from '../../../src/valuations/resolving/holding-tree-store.ts'
import { namedAssets } from '../../../src/valuations/resolving/named-store.ts'
import { addBusinesses } from '../../harness/businesses.ts'
import { createExplainedReads, type ExplainedReads } from '../../harness/explained-reads.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'

const many = 20_000
const ofMany = (prefix: string, at: number) => `${prefix}_0${String(at).padStart(25, '0')}`

describe(`where a Workspace has ${many} assets, valuations and portfolios, a read takes as much as it needs`, () => {
  let service: TestService
  let explained: ExplainedReads
  let owner: Person
  let workspace_id: string
  let businesses: string[]

  before(async () => {
    service = await startTestService()
    owner = service.person('Olivia')
    workspace_id = await service.workspace('Of many', owner)
    businesses = await addBusinesses(
      service,
      Array.from({ length: 50 }, (_, i) => ({ name: `Business ${i}` })),
    )
    const values = [workspace_id, owner.user_id, many, businesses]
    // What is filled in here fits together, so no foreign key is checked.
    const options = '-c search_path=svc,public -c session_replication_role=replica'
    const client = new pg.Client({ ...service.testDatabase.address, options })
    await client.connect()
    await client.query(
      `insert into assets (workspace_id, id, business_id, class, cost_amount, cost_currency, acquired_on, condition, created_by,
         created_at, updated_at)
       select $1, 'ast_0' || lpad(i::text, 25, '0'), ($4::text[])[1 + i % 50], (array['equipment', 'cash'])[1 + i % 2], '1', 'USD',
         '2020-01-01', 'good', $2, now(), now() from generate_series(1, $3::integer) i`,
      values,
    )
    await client.query(
      `insert into valuations (workspace_id, id, subject_type, subject_id, business_id, document, summary, status, conclusion, created_by,
         created_at, updated_at, completed_at)
       select $1, 'val_' || lpad(i::text, 32, '0'), 'asset', 'ast_0' || lpad((1 + i % 1000)::text, 25, '0'), ($4::text[])[1],
         jsonb_build_object('interest', jsonb_build_object('percent', '100'), 'inputs', $5::text),
         jsonb_build_object('valuation_date', '2026-0' || 1 + i % 7 || '-15'),
         'completed', '{"point": {"amount": "1.00", "currency": "USD"}}', $2, now(), now(), now() + i * interval '1 ms'
       from generate_series(1, $3::integer) i`,
      // Of a size at which documents are stored apart from their rows.
      [...values, randomBytes(1500).toString('hex')],
    )
    await client.query(
      `insert into portfolios (workspace_id, id, name, business_id, currency, created_by, created_at, updated_at)
       select $1, 'pfl_0' || lpad(i::text, 25, '0'), 'Portfolio ' || i, ($4::text[])[1 + i % 50], 'USD', $2, now(), now()
       from generate_series(1, $3::integer) i`,
      values,
    )
    // Each of the portfolios holds four assets; in groups of ten, each also holds the next one.
    await client.query(
      `insert into portfolio_holdings (workspace_id, portfolio_id, key, subject_type, subject_id, ownership_percent, updated_at)
       select $1::uuid, 'pfl_0' || lpad(i::text, 25, '0'), 'k' || k, 'asset', 'ast_0' || lpad((1 + (i + k) % 1000)::text, 25, '0'), '10', now()
       from generate_series(1, $2::integer) i, generate_series(1, 4) k
       union all
       select $1::uuid, 'pfl_0' || lpad(i::text, 25, '0'), 'next', 'portfolio', 'pfl_0' || lpad((i + 1)::text, 25, '0'), '50', now()
       from generate_series(1, $2::integer) i where i % 10 <> 0`,
      [workspace_id, many],
    )
    await client.query('analyze')
    await client.end()
    explained = createExplainedReads(service.testDatabase.address)
  })
  after(async () => {
    await explained.close()
    await service.close()
  })

  const viewer = () => ({
    workspace_id,
    user_id: owner.user_id,
    is_member: true,
    reads_businesses: true,
    reads_lists: true,
  })
  const page = { after: ofMany('ast', 10_000), limit: 21 }
  const ofPortfolios = { after: ofMany('pfl', 10_000), limit: 21 }
  const anything = { business_id: undefined, class: undefined }

  /** What is read, how many rows that gives, and the most buffers that it may take. */
  const reads: Record<string, [ask: (reader: Reader) => Promise<unknown[]>, rows: number, most: number]> = {
    'a page of assets': [reader => assetsPage(reader, workspace_id, anything, page), 21, 20],
    'one of a class': [
      reader => assetsPage(reader, workspace_id, { ...anything, class: 'cash' }, page),
      21,
      40,
    ],
    'one of a Business': [
      reader => assetsPage(reader, workspace_id, { ...anything, business_id: businesses[7] }, page),
      21,
      60,
    ],
    'one of a Business and a class': [
      reader => assetsPage(reader, workspace_id, { business_id: businesses[7], class: 'cash' }, page),
      21,
      60,
    ],
    'a page of portfolios': [reader => portfoliosPage(reader, workspace_id, undefined, ofPortfolios), 21, 20],
    'one of portfolios of a Business': [
      reader => portfoliosPage(reader, workspace_id, businesses[7], ofPortfolios),
      21,
      60,
    ],
    'a page of holdings': [
      reader => holdingsPage(reader, workspace_id, ofMany('pfl', 10_001), { after: '', limit: 21 }),
      5,
      20,
    ],
    'a page of benchmark sets': [
      reader => benchmarkSetsPage(reader, workspace_id, { after: null, limit: 21 }),
      0,
      10,
    ],
    'the assets of a document': [
      reader =>
        namedAssets(
          reader,
          workspace_id,
          Array.from({ length: 10 }, (_, i) => ofMany('ast', i * 1999 + 1)),
        ),
      10,
      60,
    ],
    'the portfolios above and below one': [
      async reader => [
        await chainOf(reader, workspace_id, {
          portfolio_id: ofMany('pfl', 10_005),
          held_id: ofMany('pfl', 10_011),
        }),
      ],
      1,
      300,
    ],
    // 10 portfolios with 49 holdings, each with the newest of 20 valuations.
    'the tree of a portfolio': [
      reader => holdingsBelow(reader, viewer(), ofMany('pfl', 10_001), '2026-06-30'),
      49,
      1500,
    ],
  }

  for (const plans of ['force_generic_plan', 'force_custom_plan'])
    for (const [what, [ask, rows, most]] of Object.entries(reads))
      it(`${what}: ${plans}`, async () => {
        const scope = { 'svc.workspace_id': workspace_id, 'svc.user_id': owner.user_id }
        const { answer, buffers } = await explained.run({ plan_cache_mode: plans, ...scope }, ask)
        assert.equal(answer.length, rows)
        assert.ok(buffers > 0 && buffers <= most, `${buffers} buffers`)
      })
})
