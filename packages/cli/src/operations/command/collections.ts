import { methodOf, pathOf, type Operation } from '@wbs/contract/operation'

/** A collection of resources, by the fixed parts of its path: of `/v1/rooms/{room_id}/files`, `rooms` and `files`. */
export interface Collection {
  /** The path up to the collection, such as `rooms/{}/files`. */
  path: string
  parts: readonly string[]
  /** What the path has after the collection and the ID of one of its resources. */
  rest: readonly string[]
  /** Whether the path names one resource of the collection. */
  namesOne: boolean
}

const isParameter = (part: string) => part.startsWith('{')

/** The parts of a path without the version. */
const partsOf = (op: Operation): string[] =>
  pathOf(op)
    .split('/')
    .filter(part => part !== '' && part !== 'v1')

const keyOf = (parts: readonly string[]) => parts.map(part => (isParameter(part) ? '{}' : part)).join('/')

/**
 * The paths that are collections: the first part of a path; a part that an ID follows; and one that can be listed and added
 * to.
 */
export function collectionPaths(operations: readonly Operation[]): ReadonlySet<string> {
  const found = new Set<string>()
  const listed = new Set<string>()
  const addedTo = new Set<string>()
  for (const op of operations) {
    const parts = partsOf(op)
    found.add(keyOf(parts.slice(0, 1)))
    parts.forEach((part, at) => {
      if (isParameter(part) && at > 0) found.add(keyOf(parts.slice(0, at)))
    })
    if (methodOf(op) === 'GET' && op.name.startsWith('list_')) listed.add(keyOf(parts))
    if (methodOf(op) === 'POST') addedTo.add(keyOf(parts))
  }
  for (const path of listed) if (addedTo.has(path)) found.add(path)
  return found
}

/** The last collection in the path of an operation. */
export function collectionOf(op: Operation, known: ReadonlySet<string>): Collection {
  const parts = partsOf(op)
  for (let end = parts.length; end > 1; end--) {
    const path = keyOf(parts.slice(0, end))
    if (!isParameter(parts[end - 1] as string) && known.has(path)) return collection(parts, end)
  }
  return collection(parts, 1)
}

function collection(parts: readonly string[], end: number): Collection {
  const namesOne = parts[end] !== undefined && isParameter(parts[end])
  return {
    path: keyOf(parts.slice(0, end)),
    parts: parts.slice(0, end).filter(part => !isParameter(part)),
    rest: parts.slice(namesOne ? end + 1 : end),
    namesOne,
  }
}
