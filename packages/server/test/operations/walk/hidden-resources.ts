import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CallerName } from '../callers.ts'
import { representatives } from '../classes.ts'
import type { Headers } from '../credentials.ts'
import { hiddenCases, isInPath, takesIds, type HiddenCase } from '../hidden.ts'
import { samples, type NamedOperation } from '../samples.ts'
import { callOperation, type Input, type WireAnswer } from '../wire.ts'
import { sampleOf, type Ground, type OnGround } from './ground.ts'

/** Tests that an operation tells nobody whether a hidden resource exists. */
export function testHiddenResources(on: OnGround, operation: NamedOperation): void {
  if (!takesIds(operation)) return
  it('answers for a hidden resource as for one that does not exist, whichever id names it', async () => {
    const ground = on()
    const cases = await hiddenCases(operation, await sampleOf(ground, operation), ground.world)
    const { answersForAbsent = false } = samples[operation.name]
    for (const [caller, some] of casesOfCallers(operation, cases))
      for (const { names, absent, invisible } of some) {
        const headers = ground.credentials[caller][''] as Headers
        const answer = await askFor(ground, operation, absent, headers)
        const which = `${caller}, by ${names.join(' and ')}`
        if (isInPath(operation, names) && !answersForAbsent)
          assert.ok(answer.status >= 400, `${operation.name} finds what does not exist: ${which}`)
        assert.deepEqual(told(await askFor(ground, operation, invisible, headers)), told(answer), which)
      }
  })
}

/**
 * The owner asks by every subset of the ids. Others run through the same code or are refused before it, so they ask by all ids
 * at once; of a representative, by every subset too.
 */
function casesOfCallers(
  { name }: NamedOperation,
  cases: readonly HiddenCase[],
): [CallerName, readonly HiddenCase[]][] {
  const some = representatives.has(name) ? cases : cases.slice(-1)
  return [
    ['owner', cases],
    ['key', some],
    ['outsider', some],
    ['nobody', some],
  ]
}

/** If the path names a Workspace, the header must name the same. */
const askFor = ({ service, world }: Ground, operation: NamedOperation, input: Input, headers: Headers) =>
  callOperation(service, operation, input, {
    ...headers,
    ...(operation.audience === 'workspace' && {
      'svc-workspace-id':
        typeof input['workspace_id'] === 'string' ? input['workspace_id'] : world.workspace_id,
    }),
  })

/** An answer without the parts that differ between any two answers. */
function told({ status, headers, body }: WireAnswer): unknown {
  const { request_id: _, instance: __, ...rest } = (body ?? {}) as Record<string, unknown>
  // The thousandth answer of a connection closes it.
  const own = new Set(['svc-request-id', 'date', 'keep-alive', 'connection'])
  return { status, headers: [...headers].filter(([name]) => !own.has(name)), rest }
}
