import { globSync, readFileSync } from 'node:fs'
import { publishedBusinesses } from '../../src/businesses/search/business-search.ts'
import { lastIdBefore } from '../../src/businesses/search/partitions.ts'
import { declaredStatements, type Reader, type Statement } from '../../src/database/statement.ts'

const source = new URL('../../src/', import.meta.url)

/** An import of a module whose functions declare statements. */
const declares = /from '[./]*((database|rooms\/visibility)\/)?(statement|place-(page|lock)-store)\.ts'/

/** Every module that declares a statement, whether or not the app uses it, by its path with its text. */
const modules = new Map<string, string>()
for (const file of globSync('**/*.ts', { cwd: source.pathname })) {
  const text = readFileSync(new URL(file, source), 'utf8')
  if (!declares.test(text) && file !== 'database/statement.ts') continue
  modules.set(`packages/server/src/${file}`, text)
  await import(new URL(file, source).href)
}
await import('../../src/app.ts')
await declareSearches()

/** Every statement that the service declares. Those of tests in the same process have names that begin with test_. */
export const statements: readonly Statement<unknown>[] = [...declaredStatements()].filter(
  ({ name }) => !name.startsWith('test_'),
)

/** The file that declares a statement: it passes the name to a function, or else the longest beginning of the name. */
export function declaringFile({ name }: Pick<Statement<unknown>, 'name'>): string | undefined {
  for (let part = name; part !== ''; part = part.slice(0, Math.max(part.lastIndexOf('_'), 0))) {
    const named = new RegExp(`[([]\\s*['\`]${part}(['\`][,)]|_?\\$)`)
    for (const [path, text] of modules) if (named.test(text)) return path
  }
  return undefined
}

/** Searches are declared on demand: one for each way, each set of filters, and each range of ids. */
async function declareSearches(): Promise<void> {
  const giveUp = Object.assign(new Error('too slow'), { code: '57014' })
  const reader: Reader = {
    many: ({ connectionClass }) =>
      connectionClass === 'fail_fast' ? Promise.reject(giveUp) : Promise.resolve([]),
    one: () => Promise.resolve(undefined),
  }
  const filters: Parameters<typeof publishedBusinesses>[1][][] = [
    [{}, { query: 'harbor' }, { query: 'A & B' }],
    [{}, { state: 'MA', status: 'active' }],
    [{}, { website_url: 'https://example.com' }],
    [{}, { cursor: 'biz_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, { cursor: lastIdBefore('biz_2') }],
  ]
  const combined = filters.reduce((all, some) =>
    all.flatMap(one => some.map(other => ({ ...one, ...other }))),
  )
  for (const one of combined)
    for (const bounds of [[], ['biz_2'], ['biz_2', 'biz_4']])
      await publishedBusinesses(reader, one, 20, { bounds, milliseconds: 0 })
}
