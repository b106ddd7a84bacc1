import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OperationName } from '@wbs/contract/registry'
import { startTestService, type TestService } from '../harness/service.ts'
import { assertProblem } from '../http/problem-check.ts'
import { operations, samples, type NamedOperation } from '../operations/samples.ts'
import { callOperation, onTheWire, type Input } from '../operations/wire.ts'
import { makeWorld, type World } from '../operations/world.ts'
import { described, faultsOf } from './document.ts'

let service: TestService
let world: World
before(async () => {
  service = await startTestService()
  world = await makeWorld(service)
})
after(() => service.close())

const file_id = 'fil_01M2G8M6DT6G6M109FMWKQZJ28'
const source_connection_id = '01a0a08a-19ba-7b1b-8a7e-76cb5c5c64ab'

/** A rule of each kind that a body breaks: the change of a sample, and the error with which the service refuses it. */
const broken: [kind: string, name: OperationName, change: object, error: [string, string]][] = [
  ['that exclude each other', 'share_connection', { source_connection_id }, ['/plugin', 'conflict']],
  [
    'that exclude each other',
    'create_room_requests',
    { template: 'sba_7a_loan', file_id },
    ['/file_id', 'conflict'],
  ],
  [
    'that need each other',
    'create_text_file',
    { room_id: undefined, index_path: 'Lease.md' },
    ['/index_path', 'requires'],
  ],
  ['of which one is needed', 'update_room', { title: undefined }, ['', 'required']],
  ['of which one is needed', 'update_business', { description: undefined }, ['', 'required']],
]

describe('what the document says of fields', () => {
  for (const [kind, name, change, error] of broken)
    it(`${kind} is what the service refuses: ${name}`, async () => {
      const operation = operations.find(one => one.name === name) as NamedOperation
      const sample = await samples[name].input(world)
      const ask = (input: Input) =>
        callOperation(service, operation, input, {
          authorization: `Bearer ${world.people.owner.token}`,
          'svc-workspace-id': world.workspace_id,
        })
      const input = { ...sample, ...change }
      const faultsIn = (one: Input) =>
        faultsOf(
          described(name).requestBody?.content['application/json']?.schema ?? {},
          JSON.parse(onTheWire(operation, one).body ?? 'null'),
        )
      assert.notDeepEqual(faultsIn(input), [])
      const { errors = [] } = assertProblem(await ask(input), 'validation_error')
      assert.ok(
        errors.some(({ pointer, code }) => pointer === error[0] && code === error[1]),
        JSON.stringify(errors),
      )
      assert.deepEqual(faultsIn(sample), [])
      assert.ok((await ask(sample)).status < 300)
    })

  it('may be null is what the service accepts: set_holding', async () => {
    const { schema = {} } = described('set_holding').requestBody?.content['application/json'] ?? {}
    assert.deepEqual(faultsOf(schema, null), [])
    const { schema: ofRoom = {} } = described('create_room').requestBody?.content['application/json'] ?? {}
    assert.notDeepEqual(faultsOf(ofRoom, null), [])
    const { portfolio_id, key } = (await samples.set_holding.input(world)) as Record<string, string>
    const headers = {
      'svc-workspace-id': world.workspace_id,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    }
    const { token } = world.people.owner
    const send = (method: string, path: string) =>
      service.request(path, { method, token, headers, body: 'null' })
    // There is no such holding yet, so it is found by nobody; the body itself is accepted.
    const { status, text } = await send('PUT', `/v1/portfolios/${portfolio_id}/holdings/${key}`)
    assert.notEqual(status, 400, text)
    assert.equal((await send('POST', '/v1/rooms')).status, 400)
  })
})
