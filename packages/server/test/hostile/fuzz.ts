import assert from 'node:assert/strict'
import { it } from 'node:test'
import { takesBody, type Operation } from '@wbs/contract/operation'
import fc from 'fast-check'
import { proofRuns, proofSeed } from '../harness/proof.ts'
import { rowChanges } from '../harness/transactions/row-changes.ts'
import { assertProblem } from '../http/problem-check.ts'
import type { NamedOperation } from '../operations/samples.ts'
import { problemsWith, sampleOf, type Ground, type OnGround } from '../operations/walk/ground.ts'
import { onTheWire, send, type Input } from '../operations/wire.ts'
import { restore } from '../operations/world.ts'
import { arbitraryInput } from './arbitrary-input.ts'
import { hostileTexts } from './hostile-text.ts'

const takesInput = (operation: Operation) => Object.keys(operation.input).length > 0
const runsOf = (operation: Operation) => (takesInput(operation) ? proofRuns({ full: 40, short: 4 }) : 2)
const seed = proofSeed()

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

/** Tests that an operation answers random requests, most of them invalid, as it declares. The service still works after them. */
export function testRandomRequests(on: OnGround, operation: NamedOperation): void {
  it(`answers ${runsOf(operation)} random requests with a declared shape, and none is a fault`, async t => {
    const ground = on()
    const sample = await sampleOf(ground, operation)
    const statuses = new Map<number, number>()
    await rowChanges(ground.service)
    await fc.assert(
      fc.asyncProperty(attempts(operation, sample), async attempt => {
        const status = await statusOf(ground, operation, attempt)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }),
      { numRuns: runsOf(operation), seed },
    )
    if (!takesBody(operation)) assert.deepEqual(await rowChanges(ground.service), [])
    await restore(ground.world)
    t.diagnostic([...statuses].map(([status, count]) => `${status} × ${count}`).join(', '))
  })
}

/** Asserts that the log of a service has whole lines, and no fault. */
export function assertLogged(lines: readonly string[]): void {
  for (const line of lines) {
    assert.equal(line.indexOf('\n'), line.length - 1)
    assert.doesNotThrow(() => JSON.parse(line))
    assert.ok(!line.includes('a request failed'), line)
  }
}

function headersOf({ world, credentials }: Ground, operation: Operation, attempt: Attempt) {
  const workspaces: Record<string, string | undefined> = {
    right: world.workspace_id,
    foreign: world.foreign_workspace_id,
    absent: '0190a7a2-0000-7000-8000-000000000009',
    none: undefined,
  }
  const { workspace, caller } = attempt
  return {
    ...credentials[caller][''],
    'svc-workspace-id': Object.hasOwn(workspaces, workspace) ? workspaces[workspace] : workspace,
    ...(operation.kind === 'mutation' && { 'idempotency-key': attempt.key }),
  }
}

/** Sends a request, asserts that the answer is one of those that are declared, and gives its status. */
async function statusOf(ground: Ground, operation: Operation, attempt: Attempt): Promise<number> {
  const { path, search, body } = onTheWire(operation, atOnce(attempt.input))
  const text = body && damaged(body, attempt.damage)
  const headers = headersOf(ground, operation, attempt)
  const answer = await send(ground.service, operation, path + search, text, headers)
  // A request line that is too long is refused before the operation is known.
  if (answer.status === 431) return answer.status
  assert.ok(answer.status < 500, `${answer.status} ${JSON.stringify(answer.body)}`)
  assert.deepEqual(problemsWith(operation, answer.status, answer.body), [])
  if (answer.status >= 400) assertProblem(answer, (answer.body as { code: 'not_found' }).code)
  return answer.status
}

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
