import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { it } from 'node:test'
import { inputParts, methodOf, pathOf, takesBody } from '@wbs/contract/operation'
import { proofSeed } from '../../harness/proof.ts'
import { rowChanges } from '../../harness/transactions/row-changes.ts'
import { assertProblem } from '../../http/problem-check.ts'
import { lines, sendRaw } from '../../http/raw-socket.ts'
import { randomFrom } from '../../model/random.ts'
import { representatives } from '../classes.ts'
import { operations, type NamedOperation } from '../samples.ts'
import { callOperation, onTheWire, send, type WireAnswer } from '../wire.ts'
import { asOwner, sampleOf, workspaceAt, type Ground, type OnGround } from './ground.ts'

const { pick } = randomFrom(proofSeed())

/** Tests what generic code refuses for its form. One test for each operation checks that its path knows no other method. */
export function testRefusedForms(on: OnGround, operation: NamedOperation): void {
  testMethods(on, operation)
  if (operation.audience === 'workspace' && pathOf(operation).includes('{workspace_id}'))
    testOtherWorkspace(on, operation)
  if (!representatives.has(operation.name)) return
  testQueryParameters(on, operation)
  if (takesBody(operation)) testFields(on, operation)
  if (operation.kind === 'mutation') testKeys(on, operation)
  if (operation.audience === 'workspace') testWorkspaceHeader(on, operation)
}

/** Whether a path has the form of a template. */
const mayBePathOf = (path: string, template: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

function testMethods(on: OnGround, operation: NamedOperation): void {
  it('refuses every other method with 405', async () => {
    const ground = on()
    const { path } = onTheWire(operation, await sampleOf(ground, operation))
    // A fixed path may also be one of a template: `text` has the place of an id in /v1/files/text.
    const here = operations.filter(other => mayBePathOf(path, pathOf(other))).map(methodOf)
    const allowed: string[] = [...new Set(here.includes('GET') ? [...here, 'HEAD'] : here)].sort()
    const others = METHODS.filter(method => method !== 'CONNECT' && !allowed.includes(method))
    for (const method of representatives.has(operation.name) ? others : [pick(others)]) {
      const answer = await sendRaw(ground.service.base_url, lines(`${method} ${path} HTTP/1.1`, 'Host: here'))
      if (method === 'HEAD') assert.equal(answer.status, 405)
      else assertProblem(answer, 'method_not_allowed')
      assert.equal(answer.headers['allow'], allowed.join(', '), method)
    }
  })
}

const ownerIn = (ground: Ground, operation: NamedOperation) => ({
  ...asOwner(ground),
  ...workspaceAt(ground, operation),
})

function testQueryParameters(on: OnGround, operation: NamedOperation): void {
  it('refuses a query parameter that it does not declare', async () => {
    const ground = on()
    const { path, search, body } = onTheWire(operation, await sampleOf(ground, operation))
    const ofBody = takesBody(operation) ? Object.keys(operation.input) : []
    for (const name of ['surplus', '__proto__', 'Limit', ...ofBody]) {
      const target = `${path}${search === '' ? '?' : `${search}&`}${name}=x`
      const answer = await send(ground.service, operation, target, body, ownerIn(ground, operation))
      assertFaults(answer, [['query', `/${name}`, 'unknown']])
    }
  })
}

function testFields(on: OnGround, operation: NamedOperation): void {
  it('refuses a field of the body that it does not declare', async () => {
    const ground = on()
    const { path, body = '{}' } = onTheWire(operation, await sampleOf(ground, operation))
    // A parameter of the path is not a field of the body.
    const surplus = ['surplus', 'constructor', ...Object.keys(inputParts(operation).path)]
    const whole = {
      ...(JSON.parse(body) as object),
      ...Object.fromEntries(surplus.map(name => [name, 'x'])),
    }
    const text = JSON.stringify(whole)
    const answer = await send(ground.service, operation, path, text, ownerIn(ground, operation))
    assertFaults(
      answer,
      surplus.map(name => ['body', `/${name}`, 'unknown']),
    )
  })
}

/** What is no Idempotency-Key, with the error for it. */
export const badKeys = [
  [undefined, 'required'],
  ['', 'too_short'],
  ['short', 'too_short'],
  ['with a blank', 'format'],
  ['não-ascii-key', 'format'],
  ['x'.repeat(201), 'too_long'],
] as const

function testKeys(on: OnGround, operation: NamedOperation): void {
  it('refuses a missing or malformed Idempotency-Key, and changes nothing', async () => {
    const ground = on()
    const sample = await sampleOf(ground, operation)
    await rowChanges(ground.service)
    for (const [key, code] of badKeys) {
      const headers = { ...ownerIn(ground, operation), 'idempotency-key': key }
      const answer = await callOperation(ground.service, operation, sample, headers)
      assertFaults(answer, [['header', '/Idempotency-Key', code]])
    }
    assert.deepEqual(await rowChanges(ground.service), [])
  })
}

/** What names no Workspace. */
export const badWorkspaces = (workspace_id: string) =>
  [undefined, '', 'garbage', `{${workspace_id}}`, workspace_id.replaceAll('-', '')] as const

function testWorkspaceHeader(on: OnGround, operation: NamedOperation): void {
  it('refuses a missing Workspace, and one that is not a UUID', async () => {
    const ground = on()
    const sample = await sampleOf(ground, operation)
    for (const named of badWorkspaces(ground.world.workspace_id)) {
      const headers = { ...asOwner(ground), 'svc-workspace-id': named }
      const answer = await callOperation(ground.service, operation, sample, headers)
      assertFaults(answer, [['header', '/SVC-Workspace-Id', named === undefined ? 'required' : 'format']])
    }
  })
}

function testOtherWorkspace(on: OnGround, operation: NamedOperation): void {
  it('refuses a Workspace in the path other than the one in the header, whether or not it exists', async () => {
    const ground = on()
    for (const workspace_id of [ground.world.foreign_workspace_id, crypto.randomUUID()]) {
      const input = { ...(await sampleOf(ground, operation)), workspace_id }
      const answer = await callOperation(ground.service, operation, input, ownerIn(ground, operation))
      assertFaults(answer, [['path', '/workspace_id', 'conflict']])
    }
  })
}

function assertFaults(answer: WireAnswer, faults: readonly (readonly [string, string, string])[]): void {
  const { errors = [] } = assertProblem(answer, 'validation_error')
  assert.deepEqual(
    errors.map(error => [error.in, error.pointer, error.code]),
    faults,
  )
}
