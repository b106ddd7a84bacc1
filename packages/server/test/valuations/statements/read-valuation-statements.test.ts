import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { uploadedFile } from '../../files/uploaded-file.ts'
import { refused } from '../../harness/refused.ts'
import { xlsxOf, xlsxType } from '../../inspection/documents.ts'
import { unfinished } from '../valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from '../valuation-fixture.ts'

type Input = Parameters<Client['readValuationStatements']>[0]

const table = [
  ['Corner Bakery LLC'],
  ['', 'FY2024', 'FY2025'],
  ['Sales', 790000, 800000],
  ['Cost of goods sold', 310000.1, 320000.1 + 0.2],
  ['Rent', 60000, 61000],
  ['Net income', -1500, 90000],
]
const csv = table.map(row => row.join(',')).join('\r\n')
const periods = [2024, 2025].map(year => ({
  column: `FY${year}`,
  key: String(year),
  start: `${year}-01-01`,
  end: `${year}-12-31`,
}))
const income = [
  { revenue: '790000', cost_of_sales: '310000.1', net_income: '-1500' },
  { revenue: '800000', cost_of_sales: '320000.3', net_income: '90000' },
]

describe('read_valuation_statements', () => {
  let world: ValuationWorld
  before(async () => {
    world = await makeValuationWorld()
  })
  after(() => world.close())
  const member = () => world.client('member')

  const csvFile = async (content = csv, room_id?: string) =>
    (
      await member().createTextFile({
        name: `${randomUUID()}.csv`,
        format: 'csv',
        content,
        ...(room_id !== undefined && { room_id }),
      })
    ).file.file_id

  /** The request that reads a File into a draft. */
  async function request(file_id: string, more: Partial<Input> = {}): Promise<Input> {
    const inputs = { events: [{ on: '2026-01-01', text: 'A' }] }
    const { data } = await member().createValuation({ ...unfinished(), inputs })
    const { valuation_id } = data
    return { valuation_id, expected_revision: 1, file_id, basis: 'internal', periods, ...more }
  }

  it('replaces the periods of a draft by those of a CSV File, and keeps its other inputs', async () => {
    const file_id = await csvFile()
    const asked = await request(file_id)
    const { data, statements, receipt } = await member().readValuationStatements(asked)
    const read = data.inputs as { periods: { income: object }[]; events: object[] }
    assert.deepEqual(
      read.periods.map(period => period.income),
      income,
    )
    assert.deepEqual(read.events, [{ on: '2026-01-01', text: 'A' }])
    assert.deepEqual(statements.unmapped, ['Rent'])
    const { file } = await member().getFile({ file_id })
    assert.deepEqual(
      [statements.file_version_id, statements.sha256],
      [file.current_version.file_version_id, file.current_version.sha256],
    )
    assert.deepEqual([data.revision, data.status, receipt.changed], [2, 'draft', ['inputs']])
    assert.deepEqual((await member().getValuation({ valuation_id: data.valuation_id })).data, data)
    const history = await world.historyOf(data.valuation_id)
    assert.deepEqual(history.at(-1)?.data['changed'], ['inputs'])
    const again = await member().readValuationStatements({ ...asked, expected_revision: 2 })
    assert.equal(again.data.revision, 2, 'the same statements change nothing')
    assert.equal((await world.historyOf(data.valuation_id)).length, history.length)
  })

  it('reads the named sheet of an uploaded workbook', async () => {
    const file = await uploadedFile(
      member(),
      { name: 'Statements.xlsx', content_type: xlsxType },
      xlsxOf({ Cover: [['Corner Bakery']], Statements: table }),
    )
    const asked = await request(file.file_id, { sheet: 2 })
    const { data, statements } = await member().readValuationStatements(asked)
    assert.deepEqual(
      (data.inputs as { periods: { income: object }[] }).periods.map(period => period.income),
      income,
    )
    assert.deepEqual(statements.unmapped, ['Rent'])
    const { valuation_id } = data
    const { errors } = await refused(
      member().readValuationStatements({ ...asked, expected_revision: 2, sheet: 3 }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => one.pointer),
      ['/sheet'],
    )
    const { errors: ofCover } = await refused(
      member().readValuationStatements({ ...asked, expected_revision: 2, sheet: 1 }),
      'validation_error',
    )
    assert.deepEqual(
      ofCover.map(one => one.pointer),
      ['/periods/0/column', '/periods/1/column'],
    )
    assert.equal((await member().getValuation({ valuation_id })).data.revision, 2)
  })

  it('names the cells that are wrong, and changes nothing', async () => {
    const asked = await request(await csvFile(csv.replace(',90000', ',ninety')))
    const { errors, detail } = await refused(member().readValuationStatements(asked), 'validation_error')
    assert.deepEqual(
      errors.map(({ pointer, code }) => [pointer, code]),
      [['/file/rows/6/C', 'format']],
    )
    assert.match(detail, /^Cell C6 \(net_income\)/)
    const { data } = await member().getValuation({ valuation_id: asked.valuation_id })
    assert.equal(data.revision, 1)
  })

  it('is 422 for what is no table of statements', async () => {
    const { file } = await member().createTextFile({ name: 'Notes.md', content: '# Notes' })
    const cases = [
      file.file_id,
      await csvFile('FY2024,FY2025\nRent,1'),
      await csvFile('"open'),
      await csvFile('a\n'.repeat(1001)),
    ]
    for (const file_id of cases)
      await refused(member().readValuationStatements(await request(file_id)), 'unprocessable_content')
    const large = await csvFile()
    await world.service.sql('update file_versions set size_bytes = 1048577 where file_id = $1', [large])
    const { detail } = await refused(
      member().readValuationStatements(await request(large)),
      'unprocessable_content',
    )
    assert.match(detail, /1 MiB/)
    const { errors } = await refused(
      member().readValuationStatements(await request(await csvFile(), { sheet: 1 })),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => one.pointer),
      ['/sheet'],
    )
  })

  it('is 404 for a File and for a valuation that are absent or hidden, in the same words', async () => {
    const hidden = (
      await world.client('owner').createTextFile({ name: 'A.csv', format: 'csv', content: csv })
    ).file.file_id
    const asked = await request(await csvFile())
    const absent = `fil_${'0'.repeat(25)}1`
    const answers = await Promise.all(
      [hidden, absent].map(file_id =>
        refused(member().readValuationStatements({ ...asked, file_id }), 'not_found'),
      ),
    )
    assert.equal(answers[0]?.detail, answers[1]?.detail)
    const away = world.as(world.people.rival)
    await refused(away.readValuationStatements(asked), 'forbidden')
    await refused(
      member().readValuationStatements({ ...asked, valuation_id: `val_${'0'.repeat(32)}` }),
      'not_found',
    )
    const other = await member().createTextFile({ name: 'Other.md', content: 'x' })
    await refused(
      member().readValuationStatements({
        ...asked,
        file_version_id: other.file.current_version.file_version_id,
      }),
      'not_found',
    )
  })

  it('is 409 for a stale revision, a completed valuation and a File that is not ready', async () => {
    const asked = await request(await csvFile())
    const stale = await refused(
      member().readValuationStatements({ ...asked, expected_revision: 7 }),
      'revision_conflict',
    )
    assert.deepEqual([stale.expected, stale.current], [7, 1])
    const done = await world.completed()
    await refused(
      member().readValuationStatements({ ...asked, valuation_id: done.valuation_id }),
      'state_conflict',
    )
    const { file } = await member().createFileUpload({
      name: 'A.csv',
      content_type: 'text/csv',
      size_bytes: 6,
    })
    await refused(member().readValuationStatements({ ...asked, file_id: file.file_id }), 'state_conflict')
  })

  it('needs valuations:run and files:read', async () => {
    const asked = await request(await csvFile())
    await refused(world.client('viewer').readValuationStatements(asked), 'forbidden')
    for (const scopes of [
      ['valuations:read', 'valuations:run'],
      ['valuations:read', 'files:read'],
    ] as const) {
      const key = await world.withKey(scopes)
      await refused(key.readValuationStatements(asked), 'forbidden')
    }
  })

  it('refuses a document that is wrong with the new periods', async () => {
    const asked = await request(await csvFile(), {
      periods: periods.map(period => ({ ...period, end: '2027-12-31' })),
    })
    const { errors } = await refused(member().readValuationStatements(asked), 'validation_error')
    assert.match(errors[0]?.pointer ?? '', /^\/inputs\/periods\/0/)
  })
})
