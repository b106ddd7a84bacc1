import type { Items } from './methods.ts'

interface Place {
  has_more?: boolean
  cursor?: string | null
  next_cursor?: string | null
}
type Answer = Place & Record<string, unknown>

/**
 * The items of a list, page after page. An empty page is not the end, and a list without pages ends after its only answer.
 * Throws if a cursor does not advance, which would loop for ever.
 */
export function followPages(input: object, read: (input: object) => Promise<unknown>): Items<unknown> {
  const { cursor = null, after = cursor } = input as { cursor?: string | null; after?: string | null }
  const items = Object.assign(pages(), { cursor: after })
  return items

  async function* pages(): AsyncGenerator<unknown, void, undefined> {
    for (let place: object = {}; ;) {
      const answer = (await read({ ...input, ...place })) as Answer
      const { has_more, cursor, next_cursor = cursor ?? null } = (answer['page'] ?? answer) as Place
      const all = itemsOf(answer)
      yield* all.slice(0, -1)
      const last = items.cursor
      items.cursor = next_cursor
      yield* all.slice(-1)
      if (has_more !== true) return
      if (next_cursor === null || next_cursor === last)
        throw new Error('The service says that there is more, but its cursor does not advance.')
      place = cursor === undefined ? { after: next_cursor } : { cursor }
    }
  }
}

/** They are under `data`, or are the only list in the answer. */
const itemsOf = (answer: Answer) =>
  (answer['data'] ?? Object.values(answer).find(Array.isArray)) as readonly unknown[]
