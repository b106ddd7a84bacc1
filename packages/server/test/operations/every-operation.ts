import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { inputParts, isBytes, isStream, methodOf, pathOf, takesBody } from '@wbs/contract/operation'
import { answerChecker } from '../harness/answer-schema.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { rowChanges } from '../harness/row-changes.ts'
import { assertProblem } from '../http/problem-check.ts'
import { sendRaw, lines } from '../http/raw-socket.ts'
import { callers, type CallerName } from './callers.ts'
import { credentialsOf, type Headers } from './credentials.ts'
import { hiddenCases, isInPath, takesIds } from './hidden.ts'
import { placesOf, rowOf, type Place } from './matrix.ts'
import { operations, operationsOf, samples, type NamedOperation, type Slice } from './samples.ts'
import { callOperation, onTheWire, send, type Input, type WireAnswer } from './wire.ts'
import { makeWorld, restore, type World } from './world.ts'

let service: TestService
let world: World
let credentials: Awaited<ReturnType<typeof credentialsOf>>
const problemsWith = answerChecker()

/** Tests what holds for every operation, on the operations of a slice. Call it once in a process. */
export function testEveryOperation(slice: Slice): void {
  before(async () => {
    service = await startTestService()
    world = await makeWorld(service)
    credentials = await credentialsOf(world)
  })
  after(() => service.close())
  for (const operation of operationsOf(slice)) describe(operation.name, () => testOperation(operation))
}

/** The header that names the Workspace, if the operation needs one. */
const inWorkspace = (operation: NamedOperation): Headers =>
  operation.audience === 'workspace' ? { 'svc-workspace-id': world.workspace_id } : {}

/** The same at each place. */
const headersAt: Record<Place, (operation: NamedOperation) => Headers> = {
  'as declared': inWorkspace,
  'in a Workspace': () => ({ 'svc-workspace-id': world.workspace_id }),
  'without a Workspace': () => ({}),
}

const sampleOf = async (operation: NamedOperation): Promise<Input> => samples[operation.name].input(world)
/** Whether a path has the form of a template. */
const mayBePathOf = (path: string, template: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

const asOwner = (): Headers => credentials.owner[''] as Headers

function assertFits(operation: NamedOperation, answer: WireAnswer): void {
  assert.deepEqual(
    problemsWith(operation, answer.status, answer.body),
    [],
    `${operation.name} answers ${answer.status}`,
  )
}

function testOperation(operation: NamedOperation): void {
  it('succeeds for its intended caller, with an answer of the declared schema', async () => {
    const performer = credentials[samples[operation.name].caller ?? 'owner']['']
    const answer = await callOperation(service, operation, await sampleOf(operation), {
      ...performer,
      ...inWorkspace(operation),
    })
    assert.equal(
      answer.status,
      operation.kind === 'mutation' ? operation.status : 200,
      JSON.stringify(answer.body),
    )
    assertFits(operation, answer)
    await restore(world)
    if (isStream(operation) || isBytes(operation)) return
    const { request_id } = answer.body as { request_id?: string }
    assert.equal(
      request_id,
      operation.kind === 'query' && operation.bare ? undefined : answer.headers.get('svc-request-id'),
    )
  })

  for (const place of placesOf(operation))
    it(`answers each caller ${place} as its row in the authorization matrix says, and refusals change nothing`, async () => {
      const row = rowOf(operation, place)
      const workspace = headersAt[place](operation)
      const makeInput = () =>
        (place === 'without a Workspace' && samples[operation.name].visitor?.(world)) || sampleOf(operation)
      const writes = operation.kind === 'mutation' || operation.recorded === true
      const changes = (status: number) => writes && status < 300
      const sample = await makeInput()
      await rowChanges(service)
      for (const caller of callers)
        if (!changes(row[caller])) await assertAnswers(operation, sample, caller, row[caller], workspace)
      assert.deepEqual(await rowChanges(service), [])
      for (const caller of callers)
        if (changes(row[caller])) {
          await assertAnswers(operation, await makeInput(), caller, row[caller], workspace)
          await restore(world)
        }
    })

  it('refuses every other method with 405', async () => {
    const { path } = onTheWire(operation, await sampleOf(operation))
    // A fixed path may also be one of a template: `text` has the place of an id in /v1/files/text.
    const here = operations.filter(other => mayBePathOf(path, pathOf(other))).map(methodOf)
    const allowed: string[] = [...new Set(here.includes('GET') ? [...here, 'HEAD'] : here)].sort()
    if (!allowed.includes('HEAD')) {
      const { status, headers } = await service.request(path, { method: 'HEAD' })
      assert.deepEqual([status, headers.get('allow')], [405, allowed.join(', ')], 'HEAD')
    }
    const others = METHODS.filter(one => one !== 'CONNECT' && one !== 'HEAD' && !allowed.includes(one))
    for (const method of others) {
      const answer = await sendRaw(service.base_url, lines(`${method} ${path} HTTP/1.1`, 'Host: here'))
      if (method === 'HEAD') assert.equal(answer.status, 405)
      else assertProblem(answer, 'method_not_allowed')
      assert.equal(answer.headers['allow'], allowed.join(', '), method)
    }
  })

  it('refuses a query parameter that it does not declare', async () => {
    const { path, search, body } = onTheWire(operation, await sampleOf(operation))
    const ofBody = takesBody(operation) ? Object.keys(operation.input) : []
    for (const name of ['surplus', '__proto__', 'Limit', ...ofBody]) {
      const target = `${path}${search === '' ? '?' : `${search}&`}${name}=x`
      const answer = await send(service, operation, target, body, {
        ...asOwner(),
        ...inWorkspace(operation),
      })
      assertFaults(answer, [['query', `/${name}`, 'unknown']])
    }
  })

  if (takesBody(operation))
    it('refuses a field of the body that it does not declare', async () => {
      const { path, body = '{}' } = onTheWire(operation, await sampleOf(operation))
      // A parameter of the path is not a field of the body.
      const surplus = ['surplus', 'constructor', ...Object.keys(inputParts(operation).path)]
      const whole = {
        ...(JSON.parse(body) as object),
        ...Object.fromEntries(surplus.map(name => [name, 'x'])),
      }
      const headers = { ...asOwner(), ...inWorkspace(operation) }
      const answer = await send(service, operation, path, JSON.stringify(whole), headers)
      assertFaults(
        answer,
        surplus.map(name => ['body', `/${name}`, 'unknown']),
      )
    })

  if (operation.kind === 'mutation')
    it('refuses a missing or malformed Idempotency-Key, and changes nothing', async () => {
      const sample = await sampleOf(operation)
      await rowChanges(service)
      for (const [key, code] of [
        [undefined, 'required'],
        ['', 'too_short'],
        ['short', 'too_short'],
        ['with a blank', 'format'],
        ['não-ascii-key', 'format'],
        ['x'.repeat(201), 'too_long'],
      ] as const) {
        const headers = { ...asOwner(), ...inWorkspace(operation), 'idempotency-key': key }
        const answer = await callOperation(service, operation, sample, headers)
        assertFaults(answer, [['header', '/Idempotency-Key', code]])
      }
      assert.deepEqual(await rowChanges(service), [])
    })

  if (operation.audience === 'workspace')
    it('refuses a missing Workspace, and one that is not a UUID', async () => {
      const { workspace_id } = world
      for (const given of [undefined, '', 'garbage', `{${workspace_id}}`, workspace_id.replaceAll('-', '')]) {
        const headers = { ...asOwner(), 'svc-workspace-id': given }
        const answer = await callOperation(service, operation, await sampleOf(operation), headers)
        assertFaults(answer, [['header', '/SVC-Workspace-Id', given === undefined ? 'required' : 'format']])
      }
    })

  if (operation.audience === 'workspace' && pathOf(operation).includes('{workspace_id}'))
    it('refuses a Workspace in the path other than the one in the header, whether or not it exists', async () => {
      for (const workspace_id of [world.foreign_workspace_id, crypto.randomUUID()]) {
        const input = { ...(await sampleOf(operation)), workspace_id }
        const answer = await callOperation(service, operation, input, {
          ...asOwner(),
          ...inWorkspace(operation),
        })
        assertFaults(answer, [['path', '/workspace_id', 'conflict']])
      }
    })

  if (takesIds(operation))
    it('answers for a hidden resource as for one that does not exist, whichever id names it', async () => {
      const cases = await hiddenCases(operation, await sampleOf(operation), world)
      const { answersForAbsent = false } = samples[operation.name]
      for (const { names, absent, invisible } of cases)
        for (const caller of ['owner', 'key', 'outsider', 'nobody'] as const) {
          const headers = credentials[caller][''] as Headers
          const answer = await askFor(operation, absent, headers)
          const which = `${caller}, by ${names.join(' and ')}`
          if (isInPath(operation, names) && !answersForAbsent)
            assert.ok(answer.status >= 400, `${operation.name} finds what does not exist: ${which}`)
          assert.deepEqual(told(await askFor(operation, invisible, headers)), told(answer), which)
        }
    })
}

async function assertAnswers(
  operation: NamedOperation,
  sample: Input,
  caller: CallerName,
  status: number,
  workspace: Headers,
): Promise<void> {
  for (const [kind, headers] of Object.entries(credentials[caller])) {
    const who = `${caller} ${kind}`.trim()
    const answer = await callOperation(service, operation, sample, { ...workspace, ...headers })
    assert.equal(answer.status, status, `${operation.name} for ${who}: ${JSON.stringify(answer.body)}`)
    assertFits(operation, answer)
    if (status === 400) assertProblem(answer, 'validation_error')
    if (status === 401) assertProblem(answer, 'unauthenticated')
    if (status === 403) assertProblem(answer, 'forbidden')
  }
}

function assertFaults(answer: WireAnswer, faults: readonly (readonly [string, string, string])[]): void {
  const { errors = [] } = assertProblem(answer, 'validation_error')
  assert.deepEqual(
    errors.map(error => [error.in, error.pointer, error.code]),
    faults,
  )
}

/** If the path names a Workspace, the header must name the same. */
const askFor = (operation: NamedOperation, input: Input, headers: Headers) =>
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
  const own = new Set(['svc-request-id', 'date', 'keep-alive'])
  return { status, headers: [...headers].filter(([name]) => !own.has(name)), rest }
}
