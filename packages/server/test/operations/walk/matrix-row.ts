import assert from 'node:assert/strict'
import { it } from 'node:test'
import { proofSeed } from '../../harness/proof.ts'
import { rowChanges } from '../../harness/transactions/row-changes.ts'
import { assertProblem } from '../../http/problem-check.ts'
import { randomFrom } from '../../model/random.ts'
import { callers, type CallerName } from '../callers.ts'
import { representatives } from '../classes.ts'
import type { Headers } from '../credentials.ts'
import { placesOf, rowOf, type Place } from '../matrix.ts'
import { samples, type NamedOperation } from '../samples.ts'
import { callOperation, type Input } from '../wire.ts'
import { restore } from '../world.ts'
import { problemsWith, sampleOf, workspaceAt, type Ground, type OnGround } from './ground.ts'

const { pick } = randomFrom(proofSeed())

/** Tests the rows of an operation in the authorization matrix. */
export function testMatrixRows(on: OnGround, operation: NamedOperation): void {
  for (const place of placesOf(operation))
    it(`answers each caller ${place} as its row in the authorization matrix says, and refusals change nothing`, async () => {
      const ground = on()
      const row = rowOf(operation, place)
      const writes = operation.kind === 'mutation' || operation.recorded === true
      const changes = (caller: CallerName) => writes && row[caller] < 300
      const sample = await inputAt(ground, operation, place)
      await rowChanges(ground.service)
      for (const caller of callers)
        if (!changes(caller)) await assertAnswers(ground, { operation, place, caller, input: sample })
      assert.deepEqual(await rowChanges(ground.service), [])
      for (const caller of callers)
        if (changes(caller) && !isPerformed(operation, place, caller)) {
          const input = await inputAt(ground, operation, place)
          await assertAnswers(ground, { operation, place, caller, input })
          await restore(ground.world)
        }
    })
}

/** Whether the test of the change itself makes the request of this caller. */
const isPerformed = (operation: NamedOperation, place: Place, caller: CallerName): boolean =>
  operation.kind === 'mutation' &&
  place === 'as declared' &&
  caller === (samples[operation.name].caller ?? 'owner') &&
  rowOf(operation, place)[caller] === operation.status

const inputAt = (ground: Ground, operation: NamedOperation, place: Place): Promise<Input> | Input =>
  (place === 'without a Workspace' && samples[operation.name].visitor?.(ground.world)) ||
  sampleOf(ground, operation)

interface Cell {
  operation: NamedOperation
  place: Place
  caller: CallerName
  input: Input
}

async function assertAnswers(ground: Ground, { operation, place, caller, input }: Cell): Promise<void> {
  const status = rowOf(operation, place)[caller]
  for (const [kind, headers] of credentialsFor(ground, operation, caller)) {
    const who = `${caller} ${kind}`.trim()
    const sent = { ...workspaceAt(ground, operation, place), ...headers }
    const answer = await callOperation(ground.service, operation, input, sent)
    assert.equal(answer.status, status, `${operation.name} for ${who}: ${JSON.stringify(answer.body)}`)
    assert.deepEqual(problemsWith(operation, status, answer.body), [], who)
    if (status === 400) assertProblem(answer, 'validation_error')
    if (status === 401) assertProblem(answer, 'unauthenticated')
    if (status === 403) assertProblem(answer, 'forbidden')
  }
}

/** The kinds of credential of a caller: all for a representative, and otherwise one. The code that reads them is the same. */
function credentialsFor(
  { credentials }: Ground,
  { name }: NamedOperation,
  caller: CallerName,
): [kind: string, Headers][] {
  const kinds = Object.entries(credentials[caller])
  return representatives.has(name) ? kinds : [pick(kinds)]
}
