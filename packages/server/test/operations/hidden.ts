import assert from 'node:assert/strict'
import { newId, type IdPrefix } from '@wbs/contract/ids'
import { inputParts } from '@wbs/contract/operation'
import { samples, type NamedOperation } from './samples.ts'
import type { Input } from './wire.ts'
import type { World } from './world.ts'

/** The same request twice: for things that do not exist, and for things that the owner must not learn of. */
export interface HiddenCase {
  /** The parameters that name them. */
  names: readonly string[]
  absent: Input
  invisible: Input
}

/**
 * For the sample of an operation: each choice of its parameters that take an id, with ids that do not exist and with ids
 * of things that are hidden from the owner. Every id in the path is among them.
 */
export async function hiddenCases(
  operation: NamedOperation,
  input: Input,
  world: World,
): Promise<HiddenCase[]> {
  const hidden: Input = { ...world.hidden, ...(await samples[operation.name].hidden?.(world)) }
  for (const name of pathIds(operation))
    assert.ok(
      name in hidden,
      `${operation.name} takes ${name}, of which nothing is hidden: give one as hidden in its sample, or for all operations in packages/server/test/operations/world.ts`,
    )
  const names = Object.keys(operation.input).filter(name => name in hidden)
  return subsetsOf(names).map(some => {
    const idsBy = (idOf: (name: string) => unknown) =>
      Object.fromEntries(some.map(name => [name, idOf(name)]))
    return {
      names: some,
      absent: { ...input, ...idsBy(name => absentLike(hidden[name])) },
      invisible: { ...input, ...idsBy(name => hidden[name]) },
    }
  })
}

const pathIds = (operation: NamedOperation) => Object.keys(inputParts(operation).path)

/** Whether an operation is told ids, in the path or elsewhere. */
export const takesIds = (operation: NamedOperation): boolean =>
  pathIds(operation).length > 0 || Object.keys(operation.input).some(name => name.endsWith('_id'))

/** Whether one of these names a thing without which there is nothing to answer. */
export const isInPath = (operation: NamedOperation, names: readonly string[]): boolean =>
  pathIds(operation).some(name => names.includes(name))

/** An id of the same form and length, since a problem repeats the path, that nothing has. */
function absentLike(id: unknown): string {
  const text = String(id)
  const prefix = /^([a-z]+)_[0-9A-Z]{26}$/.exec(text)?.[1]
  return prefix === undefined ? crypto.randomUUID().slice(0, text.length) : newId(prefix as IdPrefix)
}

const subsetsOf = (names: readonly string[]): string[][] =>
  names
    .reduce<string[][]>((subsets, name) => [...subsets, ...subsets.map(some => [...some, name])], [[]])
    .filter(some => some.length > 0)
