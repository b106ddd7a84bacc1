/** Dispatches to the benchmarks: `npm run bench -- NAME [options]`. Each prints ratios inside one run and writes them to bench/results. */
const benchmarks: Record<string, () => Promise<{ run(argv: string[]): Promise<void> }>> = {
  search: () => import('./search/search.ts'),
  'search-scale': () => import('./search/search-scale.ts'),
  mutations: () => import('./mutations/mutations.ts'),
  feed: () => import('./feed/feed.ts'),
  rooms: () => import('./rooms/rooms.ts'),
  'room-files': () => import('./room-files/room-files.ts'),
  'goals-and-tasks': () => import('./goals-and-tasks/goals-and-tasks.ts'),
  'list-values': () => import('./list-values/list-values.ts'),
  lists: () => import('./lists/lists.ts'),
  neighbours: () => import('./neighbours/neighbours.ts'),
  files: () => import('./files/files.ts'),
  valuations: () => import('./valuations/valuations.ts'),
  import: () => import('./import/import.ts'),
  telemetry: () => import('./telemetry/telemetry.ts'),
}

const [name = '', ...rest] = process.argv.slice(2).filter(argument => argument !== '--')
const load = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
if (!load) {
  console.error(`Usage: npm run bench -- ${Object.keys(benchmarks).join('|')} [options]`)
  process.exit(1)
}
await (await load()).run(rest)
