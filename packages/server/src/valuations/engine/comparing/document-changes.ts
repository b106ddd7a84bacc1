/** A change from an earlier to a later document. */
export interface DocumentChange {
  /** A JSON pointer into the later document; into the earlier one if what it names is only there. */
  pointer: string
  /** As JSON. Null if there was none. */
  before: string | null
  /** As JSON. Null if there is none. */
  after: string | null
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }
type Items = Record<string, Json | undefined>

/** The field that identifies the items of a list. Items of other lists are identified by their position. */
const keyOfItems: Partial<Record<string, string>> = {
  '/inputs/periods': 'key',
  '/inputs/adjustments': 'key',
  '/methods': 'method',
}

/** A value of another kind is another value as a whole: the growth of one model says nothing about the multiple of another. */
const kindsOfValues = ['model', 'kind'] as const

/**
 * The earlier document with the changes that `take` wants, which is asked for each change in a fixed order. Both are JSON values
 * without null in the place of an absent member.
 */
export function mergedDocuments(
  before: Json | undefined,
  after: Json | undefined,
  take: (change: DocumentChange) => boolean,
): Json | undefined {
  return merged(before, after, '', '')

  /** `place` is the pointer without the positions of items, by which keyOfItems knows a list. */
  function merged(
    first: Json | undefined,
    other: Json | undefined,
    pointer: string,
    place: string,
  ): Json | undefined {
    if (same(first, other)) return first
    if (isRecord(first) && isRecord(other) && sameKind(first, other))
      return mergedRecords(first, other, pointer, place)
    if (Array.isArray(first) && Array.isArray(other)) return mergedLists(first, other, pointer, place)
    return take({ pointer, before: textOf(first), after: textOf(other) }) ? other : first
  }

  function mergedRecords(items: Items, other: Items, pointer: string, place: string): Json {
    const names = [...new Set([...Object.keys(items), ...Object.keys(other)])].sort()
    const members = names.flatMap(name => {
      const at = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const value = merged(items[name], other[name], pointer + at, place + at)
      return value === undefined ? [] : [[name, value] as const]
    })
    return Object.fromEntries(members)
  }

  function mergedLists(first: Json[], other: Json[], pointer: string, place: string): Json {
    const key = keyOfItems[place]
    const [earlier, later] = [itemsOf(first, key), itemsOf(other, key)]
    const names = [...new Set([...earlier.keys(), ...later.keys()])]
    return names.flatMap(name => {
      const [from, to] = [earlier.get(name), later.get(name)]
      const value = merged(from?.value, to?.value, `${pointer}/${to?.at ?? from?.at}`, `${place}/-`)
      return value === undefined ? [] : [value]
    })
  }
}

/** All changes, in the order in which mergedDocuments asks for them. */
export function documentChanges(before: object, after: object): DocumentChange[] {
  const changes: DocumentChange[] = []
  mergedDocuments(before as Json, after as Json, change => {
    changes.push(change)
    return true
  })
  return changes
}

function itemsOf(list: readonly Json[], key: string | undefined): Map<string, { at: number; value: Json }> {
  const named = list.map((value, at) => {
    const name = key !== undefined && isRecord(value) ? value[key] : at
    return [typeof name === 'string' ? name : String(at), { at, value }] as const
  })
  return new Map(named)
}

const isRecord = (value: Json | undefined): value is Items =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sameKind = (items: Items, other: Items) => kindsOfValues.every(kind => same(items[kind], other[kind]))

const textOf = (value: Json | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)

/** Members stand in one order in both, since mergedDocuments gets documents in canonical order. */
const same = (first: Json | undefined, other: Json | undefined) => textOf(first) === textOf(other)
