import type { Entry } from './search-index.ts'

/**
 * The best matches for a query, at most `most`. Each of its first ten words must be in the title or the rest of an entry; words in
 * the title, and at the beginning of one, count more. The script of the pages has this function too, so it uses nothing
 * from outside. `texts` keeps what is compared for the next search, since making it takes most of the time.
 */
export function findEntries(
  entries: readonly Entry[],
  query: string,
  most: number,
  texts = new WeakMap<Entry, [title: string, rest: string]>(),
): Entry[] {
  const all = query
    .toLowerCase()
    .split(/[\s_.]+/)
    .filter(word => word !== '')
  // Each word is looked for in every entry, and all requests wait meanwhile.
  const words = [...new Set(all)].slice(0, 10)
  if (words.length === 0) return []
  const valueOf = (entry: Entry): number => {
    const text = texts.get(entry) ?? [
      ` ${entry.title.toLowerCase().replaceAll(/[_.]/g, ' ')}`,
      ` ${entry.about.toLowerCase().replaceAll('_', ' ')}`,
    ]
    texts.set(entry, text)
    const [title, rest] = text
    let value = title === ` ${words.join(' ')}` ? 8 : 0
    for (const word of words) {
      if (title.includes(` ${word}`)) value += 4
      else if (title.includes(word)) value += 3
      else if (rest.includes(` ${word}`)) value += 2
      else if (rest.includes(word)) value += 1
      else return 0
    }
    return entry.kind === 'field' ? value : value + 2
  }
  return entries
    .map(entry => ({ entry, value: valueOf(entry) }))
    .filter(({ value }) => value > 0)
    .sort((first, other) => other.value - first.value)
    .slice(0, most)
    .map(({ entry }) => entry)
}
