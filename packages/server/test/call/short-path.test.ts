import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { countCalls, watchCommits, type CalledFunction, type CalledFunctions } from './count-calls.ts'

/** Until COMMIT, and until the request is logged. A function that goes on after a wait is called again. */
const most = { untilCommit: { files: 45, calls: 400 }, inAll: { files: 58, calls: 470 } }

let service: TestService
let owner: Person
let workspace_id: string
before(async () => {
  watchCommits()
  // The rate limits are counted, as they are for everybody.
  service = await startTestService({ rateLimitScale: 1 })
  owner = service.person('Olivia')
  workspace_id = await service.workspace('Harbor', owner)
})
after(() => service.close())

it('a change of a Room walks few files with few calls, all of which are in the document', async t => {
  const client = service.client({ access_token: owner.token, workspace_id })
  const { room } = await client.createRoom({ title: 'Sale' })
  // The first requests open connections, prepare statements and fill caches.
  for (let revision = 1; revision <= 5; revision++) await changeRoom(room.room_id, revision)
  const counted: CalledFunctions[] = []
  for (let revision = 6; revision <= 10; revision++) {
    await useTokens(room.room_id)
    counted.push(await countCalls(folders, () => changeRoom(room.room_id, revision)))
  }
  // Some changes also ask the database for tokens of the rate limits, which the changes after them use.
  const [shortest] = counted.toSorted((a, b) => callsOf(a.untilCommit) - callsOf(b.untilCommit))
  const { untilCommit, afterwards } = shortest ?? { untilCommit: [], afterwards: [] }
  const inAll = [...untilCommit, ...afterwards]
  t.diagnostic(`until COMMIT: ${sizeOf(untilCommit)}; in all: ${sizeOf(inAll)}`)
  assertShort(untilCommit, most.untilCommit)
  assertShort(inAll, most.inAll)
  const text = await readFile(document, 'utf8')
  const isNamed = (file: string) => text.includes(`\`${file.slice(file.indexOf('/src/') + '/src/'.length)}\``)
  const isNamedInContract = (file: string) => text.includes(`\`${file.slice('packages/'.length)}\``)
  const unnamed = [...filesOf(inAll)].filter(file => !isNamed(file) && !isNamedInContract(file))
  assert.deepEqual(unnamed, [])
})

const document = new URL('../../../../docs/how-a-request-runs.md', import.meta.url)

const folders = ['packages/server/src/', 'packages/contract/src/']

/** Refused changes use so many tokens of the rate limits at once that the node has leased some for the next one. */
const useTokens = (room_id: string) => Promise.all(Array.from({ length: 20 }, () => patchRoom(room_id, 1)))

async function changeRoom(room_id: string, expected_revision: number): Promise<void> {
  const { status, text } = await patchRoom(room_id, expected_revision)
  assert.equal(status, 200, text)
}

const patchRoom = (room_id: string, expected_revision: number) =>
  service.request(`/v1/rooms/${room_id}`, {
    method: 'PATCH',
    token: owner.token,
    headers: {
      'svc-workspace-id': workspace_id,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ expected_revision, title: `Sale, version ${expected_revision}` }),
  })

function assertShort(called: readonly CalledFunction[], most: { files: number; calls: number }): void {
  const [files, calls] = [filesOf(called).size, callsOf(called)]
  assert.ok(calls > 0)
  assert.ok(files <= most.files && calls <= most.calls, `${sizeOf(called)}:\n${listOf(called)}`)
}

const sizeOf = (called: readonly CalledFunction[]) =>
  `${filesOf(called).size} files, ${callsOf(called)} calls`
const filesOf = (called: readonly CalledFunction[]) => new Set(called.map(({ file }) => file))
const callsOf = (called: readonly CalledFunction[]): number =>
  called.reduce((sum, { calls }) => sum + calls, 0)

const listOf = (called: readonly CalledFunction[]): string =>
  Object.entries(Object.groupBy(called, ({ file }) => file))
    .map(([file, functions = []]) => {
      const names = functions.map(({ name, calls }) => `${name || '(anonymous)'} ${calls}`)
      return `${file}: ${names.join(', ')}`
    })
    .toSorted()
    .join('\n')
