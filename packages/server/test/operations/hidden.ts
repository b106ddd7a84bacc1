import assert from 'node:assert/strict'
import { newId, type IdPrefix } from '@wbs/contract/ids'
import { inputParts } from '@wbs/contract/operation'
import { samples, type NamedOperation } from './samples.ts'
import type { Input } from './wire.ts'
import type { World } from './world.ts'

/** The same request for resources that do not exist, and for resources that are hidden from the owner. */
export interface HiddenCase {
  /** The parameters that name these resources. */
  names: readonly string[]
  absent: Input
  invisible: Input
}

/**
 * The cases of an operation: one for each subset of its parameters that take an id. In it, these parameters of the sample
 * have ids that do not exist, and then ids of resources that are hidden from the owner.
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
      `${operation.name} takes ${name}, and there is no hidden resource for it: name one as hidden in the sample, or for all operations in packages/server/test/operations/world.ts`,
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

// The key of a holding is a name that its portfolio gives, so it hides nothing.
const pathIds = (operation: NamedOperation) =>
  Object.keys(inputParts(operation).path).filter(name => name !== 'key')

/** Whether an operation takes ids, in the path or elsewhere. */
export const takesIds = (operation: NamedOperation): boolean =>
  pathIds(operation).length > 0 || Object.keys(operation.input).some(name => name.endsWith('_id'))

/** Whether one of these parameters is in the path, so that without its resource the answer must be 404. */
export const isInPath = (operation: NamedOperation, names: readonly string[]): boolean =>
  pathIds(operation).some(name => names.includes(name))

/** An unused id of the same form. It has the same length, because a problem repeats the path. */
function absentLike(id: unknown): string {
  const text = String(id)
  if (/^val_[0-9a-f]{32}$/.test(text)) return `val_${crypto.randomUUID().replaceAll('-', '')}`
  const prefix = /^([a-z]+)_[0-9A-Z]{26}$/.exec(text)?.[1]
  return prefix === undefined ? crypto.randomUUID().slice(0, text.length) : newId(prefix as IdPrefix)
}

const subsetsOf = (names: readonly string[]): string[][] =>
  names
    .reduce<string[][]>((subsets, name) => [...subsets, ...subsets.map(some => [...some, name])], [[]])
    .filter(some => some.length > 0)
