import { globSync, readFileSync } from 'node:fs'
import { publishedBusinesses } from '../../src/businesses/search/business-search.ts'
import { lastIdBefore } from '../../src/businesses/search/partitions.ts'
import { declaredStatements, type Reader, type Statement } from '../../src/database/statement.ts'

const source = new URL('../../src/', import.meta.url)

/** Every module that declares a statement, whether or not the app uses it. */
for (const file of globSync('**/*.ts', { cwd: source.pathname }))
  if (/from '[./]*(database\/)?statement\.ts'/.test(readFileSync(new URL(file, source), 'utf8')))
    await import(new URL(file, source).href)
await import('../../src/app.ts')
await declareSearches()

/** Every statement that the service declares. */
export const statements: readonly Statement<unknown>[] = [...declaredStatements()]

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
