import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, describe, it } from 'node:test'
import {
  inputParts,
  isStream,
  methodOf,
  pathOf,
  takesBody,
  workspaceOf,
  type Operation,
} from '@wbs/contract/operation'
import { operations, type OperationName } from '@wbs/contract/registry'
import { scopes } from '@wbs/contract/scopes'
import { answerChecker } from '../harness/answer-schema.ts'
import { callers, matrix, matrixInWorkspace, type CallerName } from './authorization-matrix.ts'
import { badCredentials, type Headers } from './credentials.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { assertProblem } from '../http/problem-check.ts'
import { exchange, lines } from '../http/raw-socket.ts'
import { hidden, performers, restore, samples } from './operation-samples.ts'
import { makeWorld, type World } from './world.ts'
import { checksums } from '../harness/table-checksums.ts'
import { callOperation, onTheWire, send, type Input, type WireAnswer } from './wire.ts'

type Named = Operation & { name: OperationName }
const all = operations as readonly Named[]

let service: TestService
let world: World
let credentials: Record<CallerName, Record<string, Headers>>
const problemsWith = answerChecker()
before(async () => {
  service = await startTestService()
  world = await makeWorld(service)
  credentials = await everyCredential(world)
})
after(() => service.close())

/** The headers of every caller of the matrix; of those who have a bad credential, one set for each kind of it. */
async function everyCredential(of: World): Promise<Record<CallerName, Record<string, Headers>>> {
  const { people, anonymous, workspace_id, second_workspace_id, foreign_workspace_id, sam } = of
  const token = (person: { token: string }) => ({ authorization: `Bearer ${person.token}` })
  const key = async (...settings: Parameters<TestService['apiKey']>) => ({
    'x-svc-api-key': (await service.apiKey(...settings)).secret,
  })
  const good = await key(workspace_id, people.owner, scopes)
  const one = (headers: Headers) => ({ '': headers })
  return {
    nobody: one({}),
    bad: await badCredentials(of),
    both: {
      good: { ...token(people.owner), ...good },
      'both bad': { authorization: 'x', 'x-svc-api-key': 'x' },
    },
    anonymous: one(token(anonymous)),
    outsider: one(token(people.outsider)),
    removed: one(token(people.removed)),
    viewer: one(token(people.viewer)),
    member: one(token(people.member)),
    admin: one(token(people.admin)),
    owner: one(token(people.owner)),
    key: one(good),
    weak_key: one(await key(workspace_id, people.owner, [])),
    foreign_key: {
      "a stranger's": await key(foreign_workspace_id, sam, scopes),
      "the owner's, for another Workspace": await key(second_workspace_id, people.owner, scopes),
    },
  }
}

/** What an operation of a Workspace is told about where it runs. */
const inWorkspace = (operation: Operation): Headers =>
  operation.audience === 'workspace' ? { 'svc-workspace-id': world.workspace_id } : {}

const sampleOf = async (operation: Named): Promise<Input> => {
  const sample = samples[operation.name]
  assert.ok(
    sample,
    `${operation.name} lacks its line in packages/server/test/operations/operation-samples.ts.`,
  )
  return sample(world)
}
const asOwner = (): Headers => credentials.owner[''] as Headers

function assertFits(operation: Operation, answer: WireAnswer): void {
  assert.deepEqual(
    problemsWith(operation, answer.status, answer.body),
    [],
    `${operation.name} answers ${answer.status}`,
  )
}

for (const operation of all)
  describe(operation.name, () => {
    it('succeeds for whom it is for, with an answer of its declared shape', async () => {
      const performer = credentials[performers[operation.name] ?? 'owner']['']
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
      if (isStream(operation)) return
      const { request_id } = answer.body as { request_id?: string }
      assert.equal(
        request_id,
        operation.kind === 'query' && operation.bare ? undefined : answer.headers.get('svc-request-id'),
      )
    })

    for (const [where, table] of [
      ['', matrix],
      [' in a Workspace', matrixInWorkspace],
    ] as const)
      if (where === '' || workspaceOf(operation) === 'optional')
        it(`answers everybody${where} as its row in the authorization matrix says, and refusals change nothing`, async () => {
          const row = table[operation.name]
          assert.ok(
            row,
            `${operation.name} lacks its row${where} in packages/server/test/operations/authorization-matrix.ts.`,
          )
          assert.equal(row.length, callers.length)
          const workspace: Headers =
            where === '' ? inWorkspace(operation) : { 'svc-workspace-id': world.workspace_id }
          const changes = (status: number) => operation.kind === 'mutation' && status < 300
          const sample = await sampleOf(operation)
          const before = await checksums(service)
          for (const [i, caller] of callers.entries())
            if (!changes(row[i] ?? 0)) await assertAnswers(operation, sample, caller, row[i] ?? 0, workspace)
          assert.deepEqual(await checksums(service), before)
          for (const [i, caller] of callers.entries())
            if (changes(row[i] ?? 0)) {
              await assertAnswers(operation, await sampleOf(operation), caller, row[i] ?? 0, workspace)
              await restore(world)
            }
        })

    it('refuses every other method with 405', async () => {
      const { path } = onTheWire(operation, await sampleOf(operation))
      const here = all.filter(other => pathOf(other) === pathOf(operation)).map(methodOf)
      const allowed: string[] = [...new Set(here.includes('GET') ? [...here, 'HEAD'] : here)].sort()
      if (!allowed.includes('HEAD')) {
        const { status, headers } = await service.request(path, { method: 'HEAD' })
        assert.deepEqual([status, headers.get('allow')], [405, allowed.join(', ')], 'HEAD')
      }
      const others = METHODS.filter(one => one !== 'CONNECT' && one !== 'HEAD' && !allowed.includes(one))
      for (const method of others) {
        const answer = await exchange(service.base_url, lines(`${method} ${path} HTTP/1.1`, 'Host: here'))
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
        // What travels in the path has no place in the body.
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
      it('does not run without an Idempotency-Key, or with one of the wrong form, and changes nothing', async () => {
        const sample = await sampleOf(operation)
        const untouched = await checksums(service)
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
        assert.deepEqual(await checksums(service), untouched)
      })

    if (operation.audience === 'workspace')
      it('does not run without a Workspace, or in one that is not a UUID', async () => {
        const { workspace_id } = world
        for (const given of [
          undefined,
          '',
          'garbage',
          `{${workspace_id}}`,
          workspace_id.replaceAll('-', ''),
        ]) {
          const headers = { ...asOwner(), 'svc-workspace-id': given }
          const answer = await callOperation(service, operation, await sampleOf(operation), headers)
          assertFaults(answer, [['header', '/SVC-Workspace-Id', given === undefined ? 'required' : 'format']])
        }
      })

    if (operation.audience === 'workspace' && pathOf(operation).includes('{workspace_id}'))
      it('refuses a Workspace in the path that is not the one in the header, whichever exists', async () => {
        for (const workspace_id of [world.foreign_workspace_id, crypto.randomUUID()]) {
          const input = { ...(await sampleOf(operation)), workspace_id }
          const answer = await callOperation(service, operation, input, {
            ...asOwner(),
            ...inWorkspace(operation),
          })
          assertFaults(answer, [['path', '/workspace_id', 'conflict']])
        }
      })

    if (pathOf(operation).includes('{'))
      it('answers for what is hidden as it does for what is not there', async () => {
        const pair = hidden[operation.name]?.(world)
        assert.ok(
          pair,
          `${operation.name} takes an id, and lacks its line under "hidden" in packages/server/test/operations/operation-samples.ts.`,
        )
        for (const caller of ['owner', 'key', 'outsider', 'nobody'] as const) {
          const headers = credentials[caller][''] as Headers
          const absent = await askFor(operation, pair.absent, headers)
          const invisible = await askFor(operation, pair.invisible, headers)
          assert.ok(absent.status >= 400 || pair.answers, `${operation.name} finds what is not there.`)
          assert.deepEqual(told(invisible), told(absent), caller)
        }
      })
  })

async function assertAnswers(
  operation: Named,
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

/** Where the path names a Workspace, the header must name it too. */
const askFor = (operation: Named, input: Input, headers: Headers) =>
  callOperation(service, operation, input, {
    ...headers,
    ...(operation.audience === 'workspace' && {
      'svc-workspace-id':
        typeof input['workspace_id'] === 'string' ? input['workspace_id'] : world.workspace_id,
    }),
  })

/** All that an answer tells, but for what differs between any two. */
function told({ status, headers, body }: WireAnswer): unknown {
  const { request_id: _, instance: __, ...rest } = body as Record<string, unknown>
  const own = new Set(['svc-request-id', 'date', 'keep-alive'])
  return { status, headers: [...headers].filter(([name]) => !own.has(name)), rest }
}
