import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { proofRuns } from '../../harness/proof.ts'
import type { Person } from '../../harness/service.ts'
import { makeUploadWorld, type UploadWorld } from '../uploads/upload-fixture.ts'

let world: UploadWorld
let reader: Person
before(async () => {
  world = await makeUploadWorld()
  reader = world.people.admin
})
after(() => world.close())
const us = () => world.as(world.people.member)

/** The ids of a File in a Room and of what belongs to it. */
interface Ids {
  file_id: string
  file_version_id: string
  upload_id: string
  room_file_id: string
  permission_id: string
}

const absent = (): Ids => ({
  file_id: newId('fil'),
  file_version_id: newId('fvr'),
  upload_id: newId('upl'),
  room_file_id: newId('rfl'),
  permission_id: randomUUID(),
})

/** A File with an upload that is open; in a Room too, if one is named, where it may be restricted to somebody. */
async function makeFile(client: Client, room_id?: string, only?: Person): Promise<Ids> {
  const { file, room_file } = await client.createTextFile({
    name: 'A.md',
    content: randomUUID(),
    ...(room_id !== undefined && { room_id }),
  })
  const { file_id } = file
  const { upload } = await client.addFileVersion({ file_id, expected_revision: 1, size_bytes: 5 })
  const room_file_id = room_file?.room_file_id ?? newId('rfl')
  const granted =
    only &&
    (await client.setRoomFilePermission({ room_file_id, user_id: only.user_id, access_level: 'view' }))
  return {
    file_id,
    file_version_id: file.current_version.file_version_id,
    upload_id: upload.upload_id,
    room_file_id,
    permission_id: granted?.permission.permission_id ?? randomUUID(),
  }
}

/** Every File here is hidden from the reader. */
const hidden: Record<string, () => Promise<Ids>> = {
  async 'of another Workspace'() {
    const { rival } = world.people
    const { workspace } = await rival.client.createWorkspace({ name: randomUUID() })
    const them = world.service.client({ access_token: rival.token, workspace_id: workspace.id })
    const { room } = await them.createRoom({ title: 'Theirs' })
    return makeFile(them, room.room_id)
  },
  'of somebody else, in no Room': () => makeFile(us()),
  'in a Room to which the reader was not invited': async () => makeFile(us(), await world.room()),
  async 'restricted to others in a Room of the reader'() {
    const room_id = await world.room()
    for (const person of [reader, world.people.owner]) await world.invite(room_id, person, 'view')
    return makeFile(us(), room_id, world.people.owner)
  },
  async 'removed from a Room in which the reader has view access'() {
    const room_id = await world.room()
    await world.invite(room_id, reader, 'view')
    const ids = await makeFile(us(), room_id)
    await us().archiveRoomFile({ room_file_id: ids.room_file_id, expected_revision: 1 })
    return ids
  },
}

const revision = { expected_revision: 1 }
const operations: readonly [line: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${string}`, body?: object][] = [
  ['GET /v1/files/{file_id}'],
  ['PATCH /v1/files/{file_id}', { ...revision, name: 'B.md' }],
  ['POST /v1/files/{file_id}/archive', revision],
  ['POST /v1/files/{file_id}/restore', revision],
  ['POST /v1/files/{file_id}/content', {}],
  ['GET /v1/files/{file_id}/text'],
  ['GET /v1/files/{file_id}/download'],
  ['POST /v1/files/{file_id}/download-links', {}],
  ['GET /v1/files/{file_id}/versions'],
  ['POST /v1/files/{file_id}/versions', { ...revision, size_bytes: 5 }],
  ['GET /v1/files/{file_id}/versions/{file_version_id}'],
  ['POST /v1/files/{file_id}/versions/{file_version_id}/restore', revision],
  ['POST /v1/files/{file_id}/versions/{file_version_id}/retry', revision],
  ['GET /v1/uploads/{upload_id}'],
  ['POST /v1/uploads/{upload_id}/part-urls', { part_numbers: [1] }],
  ['POST /v1/uploads/{upload_id}/content', { content: 'SGVsbG8=' }],
  ['POST /v1/uploads/{upload_id}/complete', {}],
  ['POST /v1/uploads/{upload_id}/abort', {}],
  ['GET /v1/room-files/{room_file_id}'],
  ['PATCH /v1/room-files/{room_file_id}', { ...revision, index_path: 'B.md' }],
  ['POST /v1/room-files/{room_file_id}/archive', revision],
  ['POST /v1/room-files/{room_file_id}/restore', revision],
  ['GET /v1/room-files/{room_file_id}/permissions'],
  ['POST /v1/room-files/{room_file_id}/permissions', { user_id: randomUUID(), access_level: 'view' }],
  ['POST /v1/room-files/{room_file_id}/permissions/{permission_id}/revoke', {}],
]

function ask(line: string, ids: Ids, body?: object) {
  const [method = '', template = ''] = line.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name])
  return fetch(`${world.service.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${reader.token}`,
      'svc-workspace-id': world.workspace_id,
      ...(method !== 'GET' && { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** What an answer says, without what differs between any two requests. */
async function said(line: string, ids: Ids, body?: object): Promise<string> {
  const answer = await ask(line, ids, body)
  let text = await answer.text()
  for (const [name, id] of Object.entries(ids)) text = text.replaceAll(id, `{${name}}`)
  text = text.replaceAll(/req_[0-9A-Z]{26}/g, 'req')
  const headers = [...answer.headers].filter(([name]) => !['date', 'svc-request-id'].includes(name))
  return JSON.stringify([answer.status, headers, text])
}

describe('a File that is absent and a File', () => {
  for (const [kind, make] of Object.entries(hidden))
    it(`${kind} are answered alike by every operation`, async () => {
      const ids = await make()
      for (const [line, body] of operations) {
        const other = await said(line, absent(), body)
        assert.equal(await said(line, ids, body), other, line)
        assert.match(other, /^\[404,/, line)
      }
    })

  it('of the reader are not: the requests are right', async () => {
    for (const [line, body] of operations) {
      const room_id = await world.room()
      await world.invite(room_id, reader, 'full_access')
      const ids = await makeFile(
        us(),
        room_id,
        line.includes('permission_id') ? world.people.member : undefined,
      )
      assert.notEqual((await ask(line, ids, body)).status, 404, line)
    }
  })

  it('do not let a version be read through another File', async () => {
    const room_id = await world.room()
    await world.invite(room_id, reader, 'view')
    const { file_id } = await makeFile(us(), room_id)
    const other = await makeFile(us())
    const mixed = { ...other, file_id }
    for (const line of [
      'GET /v1/files/{file_id}/versions/{file_version_id}',
      'GET /v1/files/{file_id}/download?file_version_id={file_version_id}',
      'GET /v1/files/{file_id}/text?file_version_id={file_version_id}',
    ])
      assert.equal(await said(line, mixed), await said(line, { ...absent(), file_id }))
  })

  it('take the same time', { timeout: 120_000 }, async context => {
    const lines = [
      'GET /v1/files/{file_id}',
      'GET /v1/room-files/{room_file_id}',
      'GET /v1/uploads/{upload_id}',
      'GET /v1/files/{file_id}/download',
    ] as const
    for (const kind of ['of another Workspace', 'restricted to others in a Room of the reader']) {
      const ids = await (hidden[kind] as () => Promise<Ids>)()
      for (const line of lines) {
        const asks = [() => ask(line, ids), () => ask(line, absent())] as const
        const { difference, most } = await mediansDiffer(proofRuns({ full: 100, short: 25 }), asks)
        const told = `${line}, ${kind}: ${difference.toFixed(2)} ms, of ${most.toFixed(2)}`
        context.diagnostic(told)
        assert.ok(Math.abs(difference) < most, told)
      }
    }
  })
})

/**
 * The difference of the medians of two requests, measured by turns, in milliseconds, and the most that chance explains:
 * `least`, or three standard errors where the times are spread, as on a busy machine. Of some attempts the first within that.
 */
async function mediansDiffer(
  rounds: number,
  asks: readonly [() => Promise<Response>, () => Promise<Response>],
  { least = 1, attempts = 4 } = {},
): Promise<{ difference: number; most: number }> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const start = performance.now()
      await (await asks[at]()).arrayBuffer()
      times[at].push(performance.now() - start)
    }
  const [first, second] = times.map(some => some.toSorted((a, b) => a - b)) as [number[], number[]]
  const difference = quantile(first, 0.5) - quantile(second, 0.5)
  const most = Math.max(least, 3 * Math.hypot(errorOfMedian(first), errorOfMedian(second)))
  if (Math.abs(difference) < most || attempts === 1) return { difference, most }
  return mediansDiffer(rounds, asks, { least, attempts: attempts - 1 })
}

const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.floor(sorted.length * part)] as number

/** The standard error of the median, from the distance of the quartiles, for times that are spread as by chance. */
const errorOfMedian = (sorted: readonly number[]) =>
  (0.93 * (quantile(sorted, 0.75) - quantile(sorted, 0.25))) / Math.sqrt(sorted.length)

describe('whether another Workspace holds the same bytes', () => {
  async function neighbour() {
    const { guest } = world.people
    const { workspace } = await guest.client.createWorkspace({ name: 'A neighbour' })
    const client = world.service.client({ access_token: guest.token, workspace_id: workspace.id })
    return { client, workspace_id: workspace.id }
  }

  it('is in no answer, and each Workspace has its own copy', async () => {
    const { client, workspace_id } = await neighbour()
    const content = randomUUID()
    const theirs = await client.createTextFile({ name: 'A.md', content })
    const ours = await us().createTextFile({ name: 'A.md', content })
    const { sha256 } = ours.file.current_version
    assert.equal(sha256, theirs.file.current_version.sha256)
    assert.deepEqual(Object.keys(ours.file.current_version), Object.keys(theirs.file.current_version))
    await world.service.blobs.remove(workspace_id, sha256 ?? '')
    const { file_content } = await us().readFileContent({ file_id: ours.file.file_id })
    assert.equal(file_content.content, content)
  })

  it('does not change how long storing them takes', { timeout: 120_000 }, async context => {
    const { client } = await neighbour()
    const content = () => randomBytes(100_000).toString('hex')
    const rounds = proofRuns({ full: 30, short: 10 })
    const [held, fresh]: [string[], string[]] = [[], []]
    for (let at = 0; at < rounds * 4; at++) {
      held.push(content())
      fresh.push(content())
      await client.createTextFile({ name: 'A.md', content: held.at(-1) ?? '' })
    }
    const create = (text: string) =>
      fetch(`${world.service.base_url}/v1/files/text`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${world.people.member.token}`,
          'svc-workspace-id': world.workspace_id,
          'idempotency-key': randomUUID(),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name: 'A.md', content: text }),
      })
    // Both wait for the disk, whose time varies more than that of a read.
    const { difference, most } = await mediansDiffer(
      rounds,
      [() => create(held.pop() ?? ''), () => create(fresh.pop() ?? '')],
      { least: 2 },
    )
    const told = `${difference.toFixed(2)} ms, of ${most.toFixed(2)}`
    context.diagnostic(told)
    assert.ok(Math.abs(difference) < most, told)
  })
})
