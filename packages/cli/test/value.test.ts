import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runWbs, runWbsQuickly } from './run-wbs.ts'

const bakery = {
  subject: { type: 'business', name: 'Corner Bakery' },
  engagement_type: 'indicative',
  purpose: 'sale',
  standard_of_value: 'fair_market_value',
  premise_of_value: 'going_concern',
  level_of_value: 'control_nonmarketable',
  interest: { percent: '100', kind: 'equity' },
  valuation_date: '2026-06-30',
  currency: 'USD',
  inputs: {
    periods: [
      {
        key: '2025',
        start: '2025-01-01',
        end: '2025-12-31',
        basis: 'tax_return',
        income: {
          revenue: '800000',
          cost_of_sales: '320000',
          operating_expenses: '280000',
          owner_compensation: '80000',
          depreciation: '20000',
          interest_expense: '10000',
          net_income: '90000',
        },
      },
    ],
  },
  methods: [{ method: 'revenue_multiple', multiple: '0.6', source: 'Broker survey', as_of: '2025-12-31' }],
}

describe('wbs value', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wbs-value-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }

  async function write(document: object | string): Promise<string> {
    const path = join(folder, 'document.json')
    await writeFile(path, typeof document === 'string' ? document : JSON.stringify(document))
    return path
  }
  const value = async (document: object | string, ...flags: string[]) =>
    runWbsQuickly(nowhere, ['value', await write(document), ...flags])

  it('prints the conclusion and its calculation, without a database', async () => {
    const { code, stdout, stderr } = await runWbs(nowhere, ['value', await write(bakery)])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^Corner Bakery: 100% of its equity, control, nonmarketable, as of 2026-06-30\n/)
    assert.match(stdout, /\npoint {2}USD 480,000\.00\n/)
    assert.match(stdout, /Broker survey, 2025-12-31/)
    assert.match(stdout, /\nresult_hash [0-9a-f]{64}\n$/)
    const tree = stdout.split('\n\n')[2] ?? ''
    assert.ok(/^\S.* = /.test(tree) && /\n {2}\S/.test(tree), tree)
  })

  it('gives the same bytes each time, and others with another seed', async () => {
    const one = await value(bakery, '--format', 'json')
    const two = await runWbs(nowhere, ['value', await write(bakery), '--format', 'json'])
    assert.equal(one.stdout, two.stdout)
    const seeded = await value({ ...bakery, run: true }, '--format', 'json', '--seed', '7')
    const [first, other] = [one, seeded].map(({ stdout }) => JSON.parse(stdout))
    assert.equal(other.result.engine.seed, 7)
    assert.equal(first.result.engine.input_hash, other.result.engine.input_hash)
    assert.notEqual(first.result.engine.result_hash, other.result.engine.result_hash)
    assert.equal(first.result.conclusion.point.amount, '480000.00')
    assert.ok(first.calculation.inputs.length > 0)
  })

  it('writes its report as Markdown and as HTML, and replaces a file only if told to', async () => {
    const { code, stdout } = await value(bakery, '--format', 'md')
    assert.deepEqual([code, /^# .*Corner Bakery/m.test(stdout)], [0, true])
    const path = join(folder, 'report.html')
    const written = await value(bakery, '--format', 'html', '--output', path)
    assert.deepEqual([written.code, written.stdout], [0, ''], written.stderr)
    const html = await readFile(path, 'utf8')
    for (const part of [/^<!doctype html>/i, /<h1>.*Corner Bakery<\/h1>/, /<svg /]) assert.match(html, part)
    assert.equal((await stat(path)).mode & 0o77, 0, 'only its owner may read it')
    const again = await value(bakery, '--format', 'html', '--output', path)
    assert.deepEqual([again.code, /exists\. --force replaces it/.test(again.stderr)], [1, true])
    assert.equal((await value(bakery, '--output', path, '--force')).code, 0)
  })

  it('says what is wrong with a document, and where, as the service does', async () => {
    const { code, stdout, stderr } = await value({ ...bakery, purpose: 'sales', curency: 'USD' })
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^\/purpose: purpose must be one of .* Did you mean sale\?$/m)
    assert.match(stderr, /^\/curency: .* Did you mean currency\?$/m)
    const unbalanced = await value({ ...bakery, weights: { revenue_multiple: '0.5' } })
    assert.equal(unbalanced.code, 2)
    assert.match(unbalanced.stderr, /^\/weights/)
    const rounded = await value(JSON.stringify(bakery).replace('"800000"', '9007199254740993'))
    assert.equal(rounded.code, 2)
    assert.match(rounded.stderr, /^\/inputs\/periods\/0\/income\/revenue: The number would change/)
  })

  it('values a document that lacks evidence only if told to', async () => {
    const document = { ...bakery, engagement_type: 'analyst' }
    const refused = await value(document)
    assert.deepEqual([refused.code, refused.stdout], [2, ''])
    assert.match(refused.stderr, /^\/evidence|^\/inputs/m)
    const valued = await value(document, '--without-evidence')
    assert.equal(valued.code, 0)
    assert.match(valued.stdout, /\npoint {2}USD 480,000\.00\n/)
    assert.match(valued.stderr, /the service would not run this document/)
  })

  it('refuses what only a service has', async () => {
    const portfolio = {
      ...bakery,
      subject: { type: 'portfolio', id: `pfl_${'0'.repeat(26)}` },
      inputs: {},
      methods: undefined,
    }
    const set = {
      ...bakery,
      inputs: { ...bakery.inputs, benchmark_set_id: '0190c1a2-0000-7000-8000-000000000000' },
    }
    for (const [document, pointer] of [
      [portfolio, '/subject'],
      [set, '/inputs/benchmark_set_id'],
    ] as const) {
      const { code, stderr } = await value(document)
      assert.deepEqual([code, stderr.startsWith(`${pointer}: `)], [2, true], stderr)
    }
  })

  it('fails in a sentence for a file that is not there, too large or not JSON, and for wrong options', async () => {
    const absent = await runWbs({}, ['value', join(folder, 'absent.json')])
    assert.deepEqual(
      [absent.code, /absent\.json cannot be read: there is no such file/.test(absent.stderr)],
      [1, true],
    )
    const text = JSON.stringify(bakery)
    const whole = text.padEnd(2 * 1024 * 1024)
    assert.equal((await value(whole)).code, 0, 'as large as a body of the service')
    const large = await value(`${whole} `)
    assert.deepEqual([large.code, /document\.json has more than 2 MiB/.test(large.stderr)], [1, true])
    const broken = await value('{')
    assert.deepEqual([broken.code, /document\.json is not JSON/.test(broken.stderr)], [1, true])
    for (const flags of [
      ['--seed', '-1'],
      ['--seed', '9007199254740992'],
      ['--naics', 'x'],
      ['--format', 'pdf'],
    ]) {
      const { code, stderr } = await value(bakery, ...flags)
      assert.equal(code, 1)
      assert.doesNotMatch(stderr, /\n {4}at /, 'no stack')
    }
  })

  it('prints hostile text in its own line only', async () => {
    const { stdout } = await value({ ...bakery, subject: { type: 'business', name: 'A\u202eB' } })
    assert.match(stdout, /^A B: 100%/)
  })
})
