import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { Postponed, type InspectionTurn } from '../../../src/inspection/inspector.ts'
import type { Person } from '../../harness/service.ts'
import { eventually } from '../../harness/eventually.ts'
import { makeUploadWorld, plainText, someBytes, type UploadWorld } from '../uploads/upload-fixture.ts'

describe('the turns in which content is inspected', () => {
  let world: UploadWorld
  /** The turns of the inspections, in their order. */
  let turns: string[]
  before(async () => void (world = await makeUploadWorld()))
  afterEach(() => (world.inspection.next = () => Promise.resolve(plainText)))
  after(() => world.close())

  /** A person with a number of Workspaces of their own, as a client of each. */
  async function sender(name: string, workspaces = 1): Promise<Client[]> {
    const person: Person = world.service.person(name)
    const ids = await Promise.all(
      Array.from({ length: workspaces }, (_, at) => world.service.workspace(`${name} ${at}`, person, {})),
    )
    return ids.map(workspace_id => world.service.client({ access_token: person.token, workspace_id }))
  }

  async function queue(client: Client, name = 'Accounts.txt') {
    const content = someBytes(100)
    const begun = await world.begin(content, { name }, client)
    await world.send(begun.upload, content, undefined, client)
    await client.completeUpload({ upload_id: begun.upload.upload_id })
    const { file_id } = begun.file
    const { file_version_id } = begun.new_version
    const ended = () =>
      eventually(async () => {
        const { data } = await client.getFileVersion({ file_id, file_version_id })
        return data.processing_status === 'processing' ? undefined : data
      })
    return { file_id, file_version_id, ended }
  }

  async function upload(client: Client) {
    const { ended, ...of } = await queue(client)
    return { ...of, ended: await ended(), endedAgain: ended }
  }

  /** The next inspections take these turns, and are noted. */
  function inspectedBy(inspection: (turn: InspectionTurn) => Promise<typeof plainText>) {
    turns = []
    world.inspection.next = (_, turn) => {
      turns.push(turn.length ?? 'none')
      return inspection(turn)
    }
  }
  const exceeding = async (turn: InspectionTurn) => {
    await turn.note?.({ cpu_seconds: 5, exceeded: 'limits' })
    return { ...plainText, error: 'unreadable' as const }
  }
  const atOnce = async (turn: InspectionTurn) => {
    await turn.note?.({ cpu_seconds: 0.1, exceeded: null })
    return plainText
  }

  it('are a long one after a short one for content that needs it, which is no fault', async () => {
    const [client] = (await sender('Lena')) as [Client]
    inspectedBy(async turn => {
      if (turn.length === 'long') return plainText
      await turn.note?.({ cpu_seconds: 2, exceeded: 'turn' })
      throw new Postponed()
    })
    assert.equal((await upload(client)).ended.processing_status, 'ready')
    assert.deepEqual(turns, ['short', 'long'])
  })

  it('are long for whoever exceeded the limits, in all their Workspaces and again, and short for others', async () => {
    const [first, second] = (await sender('Mallory', 2)) as [Client, Client]
    const [other] = (await sender('Olga')) as [Client]
    inspectedBy(exceeding)
    const { file_id, file_version_id, ended, endedAgain } = await upload(first)
    assert.deepEqual([ended.processing_status, turns], ['failed', ['short']])
    inspectedBy(atOnce)
    await upload(second)
    await upload(other)
    assert.deepEqual(turns, ['long', 'short'])
    const { revision } = (await first.getFile({ file_id })).file
    inspectedBy(exceeding)
    await first.retryFileVersion({ file_id, file_version_id, expected_revision: revision })
    assert.equal((await endedAgain()).processing_status, 'failed')
    assert.deepEqual(turns, ['long'])
  })

  it('are long for whoever used their time, and short again once some came back', async () => {
    const [client] = (await sender('Paul')) as [Client]
    inspectedBy(async turn => {
      await turn.note?.({ cpu_seconds: 31, exceeded: null })
      return plainText
    })
    await upload(client)
    inspectedBy(atOnce)
    await upload(client)
    await world.service.sql(
      `update rate_limits set refilled_at = refilled_at - interval '10 minutes' where bucket like 'inspection:%'`,
    )
    await upload(client)
    assert.deepEqual(turns, ['long', 'short'])
  })

  it('let nobody begin who exceeded the limits while they waited', async () => {
    const [client] = (await sender('Quinn')) as [Client]
    inspectedBy(async turn => {
      if (turn.length === 'long') return plainText
      await turn.note?.({ cpu_seconds: 5, exceeded: 'limits' })
      assert.equal(await turn.mayBegin?.(), false)
      throw new Postponed()
    })
    await upload(client)
    assert.deepEqual(turns, ['short', 'long'])
  })

  it('come to others before more content of whoever uses them up, in whichever Workspaces', async () => {
    const [first, second] = (await sender('Mona', 2)) as [Client, Client]
    const [other] = (await sender('Oscar')) as [Client]
    const isQueued = Promise.withResolvers<void>()
    const inspected: string[] = []
    let before: Promise<unknown> = isQueued.promise
    // One after the other, as the process of short turns does it, and each just short enough for one.
    world.inspection.next = (name, turn) => {
      const inspection = before.then(async () => {
        if (turn.length === 'short' && !(await turn.mayBegin?.())) throw new Postponed()
        inspected.push(`${name} ${turn.length}`)
        await turn.note?.({ cpu_seconds: 1.9, exceeded: null })
        return plainText
      })
      before = inspection.catch(() => undefined)
      return inspection
    }
    const many = [first, second, first, second, first, second]
    const queued = await Promise.all(many.map(client => queue(client, 'Theirs')))
    queued.push(await queue(other, 'Ours'))
    isQueued.resolve()
    for (const { ended } of queued) assert.equal((await ended()).processing_status, 'ready')
    assert.deepEqual(inspected, [
      'Theirs short',
      'Ours short',
      ...Array.from({ length: 5 }, () => 'Theirs short'),
    ])
  })
})
