import { scopesOf, workspaceOf } from '@wbs/contract/operation'
import type { Role } from '@wbs/contract/scopes'
import { callers, type CallerName } from './callers.ts'
import { keyMay, roleHas } from './roles.ts'
import type { Sample } from './sample.ts'
import { samples, type NamedOperation } from './samples.ts'

/** The status that each caller gets for the sample of an operation. */
export type Row = Readonly<Record<CallerName, number>>

/**
 * Where an operation is called. One that may name a Workspace is called without one, and then in that of the owner; one that
 * visitors may call is called in that of the owner, and then without one.
 */
export type Place = 'as declared' | 'in a Workspace' | 'without a Workspace'

export function placesOf(operation: NamedOperation): readonly Place[] {
  if (operation.visitors) return ['as declared', 'without a Workspace']
  return workspaceOf(operation) === 'optional' ? ['as declared', 'in a Workspace'] : ['as declared']
}

/**
 * A row of the authorization matrix: derived from the declaration of the operation, with the exceptions in its sample.
 * docs/api/authorization-matrix.md shows every row.
 */
export function rowOf(operation: NamedOperation, place: Place): Row {
  // The compiler finds this too, but the matrix may be written before it has run.
  const sample: Sample | undefined = samples[operation.name]
  if (!sample) throw new Error(`${operation.name} has no sample.`)
  const derived = derivedRow(operation, place)
  return place === 'without a Workspace' ? derived : { ...derived, ...sample.answers }
}

function derivedRow(operation: NamedOperation, place: Place): Row {
  const done = operation.kind === 'mutation' ? operation.status : 200
  const row = (status: (caller: CallerName) => number) =>
    Object.fromEntries(callers.map(caller => [caller, status(caller)])) as Row
  if (operation.audience === 'public') return row(() => done)
  if (place === 'without a Workspace') {
    // A visitor reads nothing without a claim token. Whoever has an account must name a Workspace.
    const ofVisitor = operation.kind === 'mutation' ? done : 404
    return { ...row(() => 400), nobody: ofVisitor, anonymous: ofVisitor, bad: 401 }
  }
  const may = operation.audience === 'workspace' || place === 'in a Workspace' ? mayInWorkspace : mayOutside
  return {
    ...row(caller => (may(operation, caller) ? done : 403)),
    nobody: operation.audience === 'anyone' ? done : 401,
    bad: 401,
    both: 400,
  }
}

/** Whether a caller with a valid credential is admitted if the request names a Workspace. */
function mayInWorkspace(operation: NamedOperation, caller: CallerName): boolean {
  const needed = scopesOf(operation)
  if (caller === 'weak_key') return needed.length === 0
  if (caller === 'key') return needed.every(keyMay)
  return isRole(caller) && needed.every(scope => roleHas(caller, scope))
}

/** Whether they are admitted if it names none. */
function mayOutside({ audience }: NamedOperation, caller: CallerName): boolean {
  if (audience === 'anyone' || audience === 'caller') return true
  if (caller === 'anonymous') return audience === 'user'
  return !caller.endsWith('key')
}

const isRole = (caller: CallerName): caller is Role => /^(?:viewer|member|admin|owner)$/.test(caller)
