import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { createSlowStore, type SlowStore } from '../../blobs/slow-store.ts'
import { unfinished } from '../valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from '../valuation-fixture.ts'

describe('statements whose File is in a slow store', () => {
  let world: ValuationWorld
  let store: SlowStore
  before(async () => {
    store = await createSlowStore()
    world = await makeValuationWorld({ blobs: store.blobs })
  })
  after(async () => {
    await world.close()
    await store.remove()
  })

  const member = () => world.client('member')
  const owner = () => world.client('owner')

  /** A draft of the member, and a File of the owner in a Room of both. */
  async function draftAndFile() {
    const { room } = await owner().createRoom({ title: 'Purchase' })
    const { room_id } = room
    await world.invite(room_id, world.people.member, 'edit')
    const { file, room_file } = await owner().createTextFile({
      name: 'Statements.csv',
      format: 'csv',
      content: ',FY2025\nSales,1',
      room_id,
    })
    const { data } = await member().createValuation({ ...unfinished(), inputs: {} })
    const { valuation_id } = data
    const request = {
      valuation_id,
      expected_revision: 1,
      file_id: file.file_id,
      basis: 'internal' as const,
      periods: [{ column: 'FY2025', key: '2025', start: '2025-01-01', end: '2025-12-31' }],
    }
    return { request, file_id: file.file_id, room_file_id: String(room_file?.room_file_id) }
  }

  /** What the member is answered while `meanwhile` happens between the reading of the File and the change. */
  async function readWhile(
    meanwhile: (ids: { file_id: string; room_file_id: string; valuation_id: string }) => Promise<unknown>,
  ) {
    const { request, ...ids } = await draftAndFile()
    return store.whileAsked(
      'read',
      () => member().readValuationStatements(request),
      () => meanwhile({ ...ids, valuation_id: request.valuation_id }),
    )
  }

  it('do not keep others from changing the draft, and are then refused', async () => {
    const answer = readWhile(({ valuation_id }) =>
      owner().updateValuation({ valuation_id, expected_revision: 1, purpose: 'financing' }),
    )
    await refused(answer, 'revision_conflict')
  })

  it('are not used if the File was restricted to others meanwhile', async () => {
    const { user_id } = world.people.owner
    const answer = readWhile(({ room_file_id }) =>
      owner().setRoomFilePermission({ room_file_id, user_id, access_level: 'view' }),
    )
    await refused(answer, 'not_found')
  })

  it('are read again if the File has other content meanwhile: the client repeats the refused request', async () => {
    const { file } = await owner().createTextFile({
      name: 'Newer.csv',
      format: 'csv',
      content: ',FY2025\nSales,2',
    })
    const newer = file.current_version.sha256
    const { data, statements } = await readWhile(({ file_id }) =>
      world.service.sql('update file_versions set sha256 = $2 where file_id = $1', [file_id, newer]),
    )
    assert.equal(statements.sha256, newer)
    assert.match(JSON.stringify(data.inputs), /"revenue":"2"/)
  })

  it('are 503 if the store cannot be reached', async () => {
    const { request } = await draftAndFile()
    store.breakDown()
    await refused(member().readValuationStatements(request), 'unavailable')
  })
})
