import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { countCalls, watchCommits, type CalledFunction } from './count-calls.ts'

const mostFiles = 45
const mostCalls = 400
/** The same for the answer: what is called after COMMIT was sent. */
const mostFilesAfterwards = 15
const mostCallsAfterwards = 120

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

it(`a change of a Room calls ${mostCalls} functions in ${mostFiles} files until COMMIT, or less`, async () => {
  const client = service.client({ access_token: owner.token, workspace_id })
  const { room } = await client.createRoom({ title: 'Sale' })
  // The first requests open connections, prepare statements and fill caches.
  for (let revision = 1; revision <= 5; revision++) await changeRoom(room.room_id, revision)
  const { untilCommit, afterwards } = await countCalls(
    ['packages/server/src/', 'packages/contract/src/'],
    () => changeRoom(room.room_id, 6),
  )
  assertShort(untilCommit, mostFiles, mostCalls)
  assertShort(afterwards, mostFilesAfterwards, mostCallsAfterwards)
})

async function changeRoom(room_id: string, expected_revision: number): Promise<void> {
  const { status, text } = await service.request(`/v1/rooms/${room_id}`, {
    method: 'PATCH',
    token: owner.token,
    headers: {
      'svc-workspace-id': workspace_id,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ expected_revision, title: `Sale, version ${expected_revision}` }),
  })
  assert.equal(status, 200, text)
}

function assertShort(called: readonly CalledFunction[], mostFiles: number, mostCalls: number): void {
  const files = new Set(called.map(({ file }) => file)).size
  const calls = called.reduce((sum, one) => sum + one.calls, 0)
  assert.ok(files <= mostFiles && calls <= mostCalls, `${files} files, ${calls} calls:\n${listOf(called)}`)
}

const listOf = (called: readonly CalledFunction[]): string =>
  Object.entries(Object.groupBy(called, ({ file }) => file))
    .map(([file, functions = []]) => {
      const names = functions.map(({ name, calls }) => `${name || '(anonymous)'} ${calls}`)
      return `${file}: ${names.join(', ')}`
    })
    .toSorted()
    .join('\n')
