import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { countCalls, watchCommits, type CalledFunction, type CalledFunctions } from './count-calls.ts'

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
  const counted: CalledFunctions[] = []
  for (let revision = 6; revision <= 10; revision++)
    counted.push(await countCalls(folders, () => changeRoom(room.room_id, revision)))
  // Some changes also ask the database for tokens of the rate limits, which the changes after them use.
  const [shortest] = counted.toSorted((a, b) => callsOf(a.untilCommit) - callsOf(b.untilCommit))
  assertShort(shortest?.untilCommit ?? [], mostFiles, mostCalls)
  assertShort(shortest?.afterwards ?? [], mostFilesAfterwards, mostCallsAfterwards)
})

const folders = ['packages/server/src/', 'packages/contract/src/']

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
  const calls = callsOf(called)
  assert.ok(calls > 0)
  assert.ok(files <= mostFiles && calls <= mostCalls, `${files} files, ${calls} calls:\n${listOf(called)}`)
}

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
