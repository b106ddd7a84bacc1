import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { takesBody, type Operation } from '@wbs/contract/operation'
import { scopes } from '@wbs/contract/scopes'
import fc from 'fast-check'
import { answerChecker } from '../harness/answer-schema.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { assertProblem } from '../http/problem-check.ts'
import { performerOf } from '../operations/performing.ts'
import { operations, operationsOf, samples, type NamedOperation, type Slice } from '../operations/samples.ts'
import { makeWorld, restore, type World } from '../operations/world.ts'
import { rowChanges } from '../harness/row-changes.ts'
import { callOperation, onTheWire, send, type Input } from '../operations/wire.ts'
import { arbitraryInput } from './arbitrary-input.ts'
import { hostileTexts } from './hostile-text.ts'

// FUZZ_RUNS sets the number of runs; FUZZ_SEED repeats the same ones.
const takesInput = (operation: Operation) => Object.keys(operation.input).length > 0
const most = Math.ceil(Number(process.env['FUZZ_RUNS'] ?? 3_600) / operations.filter(takesInput).length)
const runsOf = (operation: Operation) => (takesInput(operation) ? most : Math.min(most, 50))
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/** How the text of a body is damaged before it is sent. */
type Damage = { kind: 'none' } | { kind: 'cut' | 'insert'; at: number; text: string }

interface Attempt {
  input: Input
  caller: 'owner' | 'viewer' | 'outsider' | 'anonymous' | 'key' | 'nobody'
  /** One of those that `workspaces` names, or any text. */
  workspace: string
  key: string
  damage: Damage
}

// A client cannot send a line break, NUL or characters beyond Latin-1 in a header.
const headerText = fc
  .constantFrom(...hostileTexts)
  .map(text => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 500))

const attempts = (operation: Operation, sample: Input): fc.Arbitrary<Attempt> =>
  fc.record({
    input: fc.oneof(
      { weight: 3, arbitrary: arbitraryInput(operation) },
      // The sample with random changes: without it, few requests would have valid ids.
      {
        weight: 2,
        arbitrary: arbitraryInput(operation).chain(some =>
          fc.subarray(Object.entries(some)).map(over => ({
            ...sample,
            ...Object.fromEntries(over),
          })),
        ),
      },
    ),
    caller: fc.constantFrom('owner', 'owner', 'owner', 'viewer', 'outsider', 'anonymous', 'key', 'nobody'),
    workspace: fc.oneof(
      { weight: 6, arbitrary: fc.constant('right') },
      { weight: 3, arbitrary: fc.constantFrom('foreign', 'absent', 'none') },
      { weight: 1, arbitrary: headerText },
    ),
    key: fc.oneof(
      { weight: 4, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: headerText },
      { weight: 1, arbitrary: fc.constant('always-the-same') },
    ),
    damage: fc.oneof(
      { weight: 5, arbitrary: fc.constant<Damage>({ kind: 'none' }) },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constantFrom('cut', 'insert'),
          at: fc.nat(200),
          text: fc.constantFrom(
            '"',
            '{',
            '[',
            '}',
            ',',
            ':',
            '\\',
            '\u0000',
            '\\ud800',
            '0',
            '😀',
            '"a":1,"a":2',
          ),
        }),
      },
    ),
  })

/** Sends random requests, most of them invalid, to the operations of a slice. */
export const fuzz = (slice: Slice): void =>
  void describe(`requests of every kind (FUZZ_SEED=${seed})`, () => {
    let service: TestService
    let world: World
    let key: string
    const problemsWith = answerChecker()
    const told = new Map<number, number>()
    before(async () => {
      service = await startTestService()
      world = await makeWorld(service)
      key = (await service.apiKey(world.workspace_id, world.people.owner, scopes)).secret
    })
    after(() => service.close())

    function headersOf(operation: Operation, attempt: Attempt) {
      const { people, anonymous, workspace_id, foreign_workspace_id } = world
      const tokens = { ...people, anonymous, key: undefined, nobody: undefined }
      const workspaces: Record<string, string | undefined> = {
        right: workspace_id,
        foreign: foreign_workspace_id,
        absent: '0190a7a2-0000-7000-8000-000000000009',
        none: undefined,
      }
      const token = tokens[attempt.caller]?.token
      const { workspace } = attempt
      return {
        authorization: token && `Bearer ${token}`,
        'x-svc-api-key': attempt.caller === 'key' ? key : undefined,
        'svc-workspace-id': Object.hasOwn(workspaces, workspace) ? workspaces[workspace] : workspace,
        ...(operation.kind === 'mutation' && { 'idempotency-key': attempt.key }),
      }
    }

    async function check(operation: Operation, attempt: Attempt): Promise<void> {
      const { path, search, body } = onTheWire(operation, atOnce(attempt.input))
      const answer = await send(
        service,
        operation,
        path + search,
        body && damaged(body, attempt.damage),
        headersOf(operation, attempt),
      )
      // A request line that is too long is refused before the operation is known.
      if (answer.status === 431) return
      told.set(answer.status, (told.get(answer.status) ?? 0) + 1)
      assert.ok(answer.status < 500, `${answer.status} ${JSON.stringify(answer.body)}`)
      assert.deepEqual(problemsWith(operation, answer.status, answer.body), [])
      if (answer.status >= 400) assertProblem(answer, (answer.body as { code: 'not_found' }).code)
    }

    for (const operation of operationsOf(slice))
      it(`${operation.name}: ${runsOf(operation)} requests get an answer of a declared shape, none is a fault, and one that fits still succeeds`, async () => {
        const sample = await samples[operation.name].input(world)
        await rowChanges(service)
        await fc.assert(
          fc.asyncProperty(attempts(operation, sample), attempt => check(operation, attempt)),
          { numRuns: runsOf(operation), seed },
        )
        if (!takesBody(operation)) assert.deepEqual(await rowChanges(service), [])
        await restore(world)
        await assertStillSucceeds(operation)
        await restore(world)
      })

    async function assertStillSucceeds(operation: NamedOperation): Promise<void> {
      const input = await samples[operation.name].input(world)
      const { token } = performerOf(world, operation)
      const headers = {
        authorization: `Bearer ${token}`,
        'svc-workspace-id': operation.audience === 'workspace' ? world.workspace_id : undefined,
      }
      const { status, body } = await callOperation(service, operation, input, headers)
      assert.ok(status < 300, JSON.stringify(body))
    }

    it('leave a log of whole lines, and no fault in it', t => {
      const counts = [...told].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`)
      t.diagnostic(`answers by status: ${counts.join(', ')}`)
      for (const line of service.logged) {
        assert.equal(line.indexOf('\n'), line.length - 1)
        assert.doesNotThrow(() => JSON.parse(line))
        assert.ok(!line.includes('a request failed'), line)
      }
      if (operationsOf(slice).some(takesInput)) assert.ok((told.get(400) ?? 0) > 0)
    })
  })

/** The same, without asking for time: how long something is waited for is for other tests. */
function atOnce(input: Input): Input {
  const { wait_seconds: seconds } = input
  return Number.isInteger(seconds) ? { ...input, wait_seconds: Math.min(0, seconds as number) } : input
}

function damaged(body: string, damage: Damage): string {
  if (damage.kind === 'none') return body
  const at = Math.min(damage.at, body.length)
  return damage.kind === 'cut' ? body.slice(0, at) : body.slice(0, at) + damage.text + body.slice(at)
}
