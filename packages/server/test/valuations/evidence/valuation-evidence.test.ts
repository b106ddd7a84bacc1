import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../../harness/refused.ts'
import { bakery } from '../valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from '../valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())
const member = () => world.client('member')

const newFile = async (content: string = randomUUID()) =>
  (await member().createTextFile({ name: 'Returns.md', content })).file
const returns = async (valuation_id: string, about: object = {}) => ({
  valuation_id,
  code: 'returns' as const,
  file_id: (await newFile()).file_id,
  dated_on: '2026-03-31',
  ...about,
})

describe('adding evidence to a draft', () => {
  it('pins the version of the File by its SHA-256, whatever becomes of the File', async () => {
    const { valuation_id } = await world.draft()
    const content = `# Returns ${randomUUID()}`
    const { file_id, current_version } = await newFile(content)
    const given = {
      code: 'returns' as const,
      file_id,
      pointer: '/inputs/periods/0/income',
      dated_on: '2026-03-31',
      note: 'Page 3 has the totals.',
    }
    const { data, receipt } = await member().addValuationEvidence({ valuation_id, ...given })
    const { evidence_id, created_at, ...rest } = data
    assert.deepEqual(rest, {
      valuation_id,
      ...given,
      file_version_id: current_version.file_version_id,
      sha256: createHash('sha256').update(content).digest('hex'),
      known_or_knowable: false,
      added_by: world.people.member.user_id,
    })
    assert.equal(created_at, receipt?.occurred_at)
    assert.deepEqual(receipt?.resource, { type: 'valuation', id: valuation_id })
    await member().archiveFile({ file_id, expected_revision: 1 })
    assert.deepEqual((await member().listValuationEvidence({ valuation_id })).data, [data])
    const told = (await world.historyOf(valuation_id)).at(-1)
    assert.deepEqual([told?.type, told?.feed], ['valuation.evidence_added', 'audit'])
    assert.deepEqual(told?.data, { engagement_type: 'indicative', evidence_id, code: 'returns' })
  })

  it('raises the revision of the draft, and gives what was missing', async () => {
    const { valuation_id, missing_evidence } = await world.draft({ purpose: 'litigation' })
    assert.ok(missing_evidence.some(one => one.code === 'signatory'))
    await member().addValuationEvidence(await returns(valuation_id, { code: 'signatory' }))
    const { data } = await member().getValuation({ valuation_id })
    assert.equal(data.revision, 2)
    assert.ok(data.missing_evidence.every(one => one.code !== 'signatory'))
    await refused(
      member().updateValuation({ valuation_id, expected_revision: 1, purpose: 'planning' }),
      'revision_conflict',
    )
  })

  it('is what periods and adjustments of the draft may name, and nothing else', async () => {
    const { valuation_id } = await world.draft()
    const { evidence_id } = (await member().addValuationEvidence(await returns(valuation_id))).data
    const naming = (id: string) => ({
      valuation_id,
      expected_revision: 2,
      inputs: {
        ...bakery().inputs,
        periods: bakery().inputs.periods?.map(period => ({ ...period, evidence_id: id })) ?? [],
      },
    })
    const { errors } = await refused(member().updateValuation(naming(randomUUID())), 'validation_error')
    assert.deepEqual(
      errors.map(one => one.pointer),
      ['/inputs/periods/0/evidence_id'],
    )
    const { data } = await member().updateValuation(naming(evidence_id))
    assert.equal(data.revision, 3)
  })

  it('that is dated later than the valuation date takes known_or_knowable', async () => {
    const { valuation_id } = await world.draft()
    const later = await returns(valuation_id, { dated_on: '2026-07-01' })
    for (const about of [{}, { known_or_knowable: false }]) {
      const { errors } = await refused(
        member().addValuationEvidence({ ...later, ...about }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(one => [one.pointer, one.code]),
        [['/known_or_knowable', 'requires']],
      )
    }
    const { data } = await member().addValuationEvidence({ ...later, known_or_knowable: true })
    assert.equal(data.known_or_knowable, true)
    const onTheDay = await returns(valuation_id, { dated_on: '2026-06-30' })
    assert.equal((await member().addValuationEvidence(onTheDay)).data.dated_on, '2026-06-30')
  })

  it('takes a File that the caller can see, and a version of that File', async () => {
    const { valuation_id } = await world.draft()
    const hidden = (await world.client('owner').createTextFile({ name: 'Theirs.md', content: 'x' })).file
    const details = new Set<string>()
    for (const file_id of [hidden.file_id, newId('fil')])
      details.add(
        (await refused(member().addValuationEvidence(await returns(valuation_id, { file_id })), 'not_found'))
          .detail,
      )
    assert.equal(details.size, 1)
    for (const file_version_id of [hidden.current_version.file_version_id, newId('fvr')])
      await refused(
        member().addValuationEvidence(await returns(valuation_id, { file_version_id })),
        'not_found',
      )
    const key = await world.withKey(['valuations:run', 'valuations:read'])
    await refused(key.addValuationEvidence(await returns(valuation_id)), 'forbidden')
  })

  it('takes content that is ready, of a File that is not archived', async () => {
    const { valuation_id } = await world.draft()
    const archived = await returns(valuation_id)
    await member().archiveFile({ file_id: archived.file_id, expected_revision: 1 })
    await refused(member().addValuationEvidence(archived), 'state_conflict')
    const pending = await returns(valuation_id)
    await world.service.sql(
      `update file_versions set processing_status = 'processing', ready_at = null where file_id = $1`,
      [pending.file_id],
    )
    const { current_status } = await refused(member().addValuationEvidence(pending), 'state_conflict')
    assert.equal(current_status, 'processing')
  })

  it('is refused once the valuation is completed', async () => {
    const { valuation_id } = await world.completed()
    const { current_status } = await refused(
      member().addValuationEvidence(await returns(valuation_id)),
      'state_conflict',
    )
    assert.equal(current_status, 'completed')
    assert.deepEqual((await member().listValuationEvidence({ valuation_id })).data, [])
  })

  it('stops at two hundred pieces, however many are added at once', async () => {
    const { valuation_id } = await world.draft()
    const one = await returns(valuation_id)
    await member().addValuationEvidence(one)
    await world.service.sql(
      `insert into valuation_evidence (workspace_id, valuation_id, id, code, file_id, file_version_id, sha256, dated_on, added_by, created_at)
       select workspace_id, valuation_id, gen_random_uuid(), code, file_id, file_version_id, sha256, dated_on, added_by, created_at
       from valuation_evidence, generate_series(1, 197) where valuation_id = $1`,
      [valuation_id],
    )
    const adding = await Promise.allSettled(
      Array.from({ length: 4 }, () => member().addValuationEvidence(one)),
    )
    assert.equal(adding.filter(({ status }) => status === 'fulfilled').length, 2)
    await refused(member().addValuationEvidence(one), 'limit_reached')
    const [row] = await world.service.sql<{ count: number }>(
      'select count(*)::integer as count from valuation_evidence where valuation_id = $1',
      [valuation_id],
    )
    assert.equal(row?.count, 200)
    assert.equal((await member().getValuation({ valuation_id })).data.revision, 4)
  })
})

describe('the list of the evidence', () => {
  it('goes from page to page in the order in which it was added', async () => {
    const { valuation_id } = await world.draft()
    const added: string[] = []
    for (let i = 0; i < 5; i++)
      added.push((await member().addValuationEvidence(await returns(valuation_id))).data.evidence_id)
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const { data, page } = await member().listValuationEvidence({
        valuation_id,
        limit: 2,
        ...(cursor && { cursor }),
      })
      seen.push(...data.map(one => one.evidence_id))
      if (page.cursor === null) break
      cursor = page.cursor
    }
    assert.deepEqual(seen, added)
  })

  it('is read by whoever may read valuations, who need not see the Files', async () => {
    const { valuation_id } = await world.draft()
    const { data } = await member().addValuationEvidence(await returns(valuation_id))
    const viewer = world.client('viewer')
    assert.deepEqual((await viewer.listValuationEvidence({ valuation_id })).data, [data])
    await refused(viewer.getFile({ file_id: data.file_id }), 'not_found')
    await refused(world.client('guest').listValuationEvidence({ valuation_id }), 'forbidden')
  })
})
