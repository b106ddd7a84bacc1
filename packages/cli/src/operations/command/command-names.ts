import { isStream, type Operation } from '@wbs/contract/operation'
import { collectionOf, collectionPaths, type Collection } from './collections.ts'

/** How the terminal names an operation: `wbs rooms update`. Without a group it is `wbs health`. */
export interface CommandName {
  group: string | null
  verb: string
}

/**
 * The names for which the rule would give words that say less: a resource is attached to a Room, so there is nothing else to
 * name; and what is mine stands below `me`.
 */
const declared: Readonly<Record<string, string>> = {
  attach_room_resource: 'attach',
  detach_room_resource: 'detach',
  list_my_rooms: 'rooms',
}

/**
 * The command of each operation but the streams, by the name of the operation. The group is the last collection of the path, with
 * the one above it if operations are named so: `room-files`, but `participants`. The verb is the first word of the name, with
 * the words that neither the group nor the path says: `files create-text`. Get and list are left out if other words follow:
 * `rooms access`.
 */
export function commandNames(operations: readonly Operation[]): ReadonlyMap<string, CommandName> {
  const named = operations.filter(op => !isStream(op))
  const known = collectionPaths(named)
  const placed = named.map(op => ({ op, place: collectionOf(op, known) }))
  const groups = new Map<string, string>()
  for (const { op, place } of placed) {
    const full = qualified(op, place)
    if (full.length > (groups.get(place.path)?.length ?? 0)) groups.set(place.path, full)
  }
  return new Map(
    placed.map(({ op, place }) => [op.name, nameIn(op, place, groups.get(place.path) as string)]),
  )
}

/** The group as the name of the operation has it: with as many of the collections above as it names. */
function qualified(op: Operation, { parts }: Collection): string {
  const words = singularWords(op.name)
  let group = parts.at(-1) as string
  for (const part of parts.slice(0, -1).toReversed()) {
    const longer = `${singular(part)}-${group}`
    if (!` ${words.join(' ')} `.includes(` ${singularWords(longer).join(' ')} `)) break
    group = longer
  }
  return group
}

function nameIn(op: Operation, place: Collection, group: string): CommandName {
  const [first = '', ...others] = op.name.split('_')
  if (others.length === 0) return { group: null, verb: first }
  const said = new Set([...singularWords(group), ...parameterWords(op), ...place.parts.map(singular)])
  const rest = others.filter(word => !said.has(singular(word)))
  const action = place.rest.at(-1)
  if (declared[op.name] !== undefined) return { group, verb: declared[op.name] as string }
  if (action?.split('-')[0] === first) return { group, verb: action }
  const isPlain = (first === 'get' || first === 'list') && rest.length > 0
  return { group, verb: [...(isPlain ? [] : [first]), ...rest].join('-') }
}

/** The words of the resources that the path names by ID: `membership` of `{membership_id}`. */
const parameterWords = (op: Operation): string[] =>
  [...op.http.matchAll(/\{(\w+?)_id\}/g)].flatMap(([, name = '']) => name.split('_'))

const singularWords = (name: string): string[] => name.split(/[_-]/).map(singular)

/** Of a plural word in a path. Words such as access are singular. */
export function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}
