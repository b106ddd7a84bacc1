import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inputParts, takesBody, workspaceOf, type Operation } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import type { Call } from '../../../src/call/call.ts'
import { readCallHeaders } from '../../../src/call/run.ts'
import { validatorOf } from '../../../src/call/input/validate.ts'
import { badKeys, badWorkspaces } from './refused-forms.ts'

const workspace_id = '0190a7a2-0000-7000-8000-000000000009'
const surplus = ['surplus', '__proto__', 'Limit']

/** Asks the code that the representatives show requests to run through, without HTTP, so that every operation is asked about. */
export function testDeclaredForm(operation: Operation): void {
  it('takes no parameter and no field that it does not declare', () => {
    const { path, body } = inputParts(operation)
    const validate = validatorOf(operation)
    // One by one, because an answer names only the first errors.
    for (const name of takesBody(operation) ? [...surplus, ...Object.keys(operation.input)] : surplus) {
      const { errors } = validate({ path: {}, query: new Map([[name, ['x']]]), body: {} })
      assert.ok(placesOf(errors, 'unknown').includes(`query /${name}`), name)
    }
    for (const name of takesBody(operation) ? [...surplus, 'constructor', ...Object.keys(path)] : []) {
      assert.ok(!Object.hasOwn(body, name), name)
      const given: unknown = JSON.parse(`{${JSON.stringify(name)}: "x"}`)
      const { errors } = validate({ path: {}, query: new Map(), body: given })
      assert.deepEqual(placesOf(errors, 'unknown'), [`body /${name}`])
    }
  })

  it('takes the headers that it declares, in their form', () => {
    const errorsOf = (given: Partial<Call>) =>
      readCallHeaders(operation, workspaceOf(operation), { ...plainCall, ...given }).errors.map(
        ({ pointer, code }) => [pointer, code],
      )
    assert.deepEqual(errorsOf({}), [])
    const takesKey = operation.kind === 'mutation'
    for (const [idempotency_key, code] of badKeys)
      assert.deepEqual(errorsOf({ idempotency_key }), takesKey ? [['/Idempotency-Key', code]] : [])
    for (const named of badWorkspaces(workspace_id))
      assert.deepEqual(
        errorsOf({ workspace_id: named }),
        workspaceFaults(workspaceOf(operation), named),
        String(named),
      )
  })
}

const placesOf = (errors: readonly InputError[], code: string) =>
  errors.filter(error => error.code === code).map(error => `${error.in} ${error.pointer}`)

/** A call of a visitor with valid headers. */
const plainCall: Call = {
  request_id: 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  caller: null,
  workspace_id,
  idempotency_key: 'a-key-of-a-test',
  input: { path: {}, query: new Map(), body: {} },
}

function workspaceFaults(takes: ReturnType<typeof workspaceOf>, named: string | undefined): string[][] {
  if (takes === 'none') return []
  if (named !== undefined) return [['/SVC-Workspace-Id', 'format']]
  return takes === 'required' ? [['/SVC-Workspace-Id', 'required']] : []
}
