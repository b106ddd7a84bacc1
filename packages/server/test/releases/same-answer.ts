/** What differs with the time of the request, names the request, or is in no backup: parts of unfinished uploads. */
const ofTheMoment = new Set([
  'request_id',
  'expires_at',
  'as_of',
  'read_at',
  'url',
  'overdue',
  'received_parts',
])

/** Where an answer differs from an earlier one. Within `/v1` the interface grows, so objects may have got fields. */
export function sameAnswer(earlier: string, now: string): string[] {
  if (!earlier.startsWith('{')) return earlier === now ? [] : ['The content differs.']
  return [...differences(JSON.parse(earlier), JSON.parse(now), '')]
}

function* differences(earlier: unknown, now: unknown, path: string): Generator<string> {
  if (Array.isArray(earlier) && Array.isArray(now) && earlier.length === now.length) {
    for (const [at, item] of earlier.entries()) yield* differences(item, now[at], `${path}/${at}`)
  } else if (isObject(earlier) && isObject(now)) {
    for (const [name, value] of Object.entries(earlier))
      if (!ofTheMoment.has(name) && !name.endsWith('_until'))
        yield* differences(value, now[name], `${path}/${name}`)
  } else if (!Object.is(earlier, now)) {
    yield `${path} was ${JSON.stringify(earlier)} and is ${JSON.stringify(now)}.`
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
