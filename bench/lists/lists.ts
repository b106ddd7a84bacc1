import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openPools } from '../../packages/server/src/database/database.ts'
import { addSyntheticBusinesses } from '../import/synthetic-businesses.ts'
import { writeResults } from '../results.ts'
import { startProcess } from '../service-process.ts'
import { measureCount, measurePages, type Measuring } from './lists-pages.ts'
import { measureNeighbours } from './lists-neighbours.ts'
import { measureRequests } from './lists-requests.ts'
import { measuredRules, type MeasuredRule } from './lists-rules.ts'
import { wordsOf } from './lists-words.ts'
import { makeListsWorld, type Owner } from './lists-world.ts'

const tell = (line: string) => console.error(`# ${line}`)

/** Some rules are also measured with overrides and values, and some over HTTP. */
const isOverridden = ({ name }: MeasuredRule) =>
  /common: status|rare: name|HVAC|not, with|20 leaves, mixed|observation, common|one of 20 names/.test(name)
const isRequested = ({ name }: MeasuredRule) => /status|HVAC|rare: name|five obs/.test(name)

/**
 * Reads pages of Lists (`pages`), counts their members (`counts`), both in turns with the floor of lists-floor.ts, and
 * requests entries over HTTP (`requests`), among `--businesses N` (1,000,000), `--rounds N` (7) times each; and measures
 * what a busy Workspace costs another (`neighbours`). Without a name it does all four. `--only TEXT` measures the rules whose names contain it; `--data DIR` keeps the data folder for the
 * next run.
 */
export async function run(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      businesses: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '7' },
      only: { type: 'string', default: '' },
      data: { type: 'string' },
    },
  })
  const businesses = Number(values.businesses)
  const rounds = Number(values.rounds)
  const size = {
    links: businesses / 50,
    drafts: businesses / 500,
    observations: businesses / 20,
    overrides: 5000,
    values: 100_000,
  }
  await using stack = new AsyncDisposableStack()
  const { service, address, client, owner, outsider } = await startService(stack, values.data)
  await addSyntheticBusinesses(client, businesses, tell, { details: true })
  tell('filling a Workspace')
  const world = await makeListsWorld(client, service.base_url, owner, size)
  const pools = openPools(address, { info: () => undefined, warn: () => undefined })
  stack.defer(() => pools.close())
  const measuring: Measuring = { reader: pools.readers.scoped(world), client, world, rounds }
  const rules = measuredRules(await wordsOf(client)).filter(({ name }) => name.includes(values.only))
  const named = (text: string) => rules.find(({ name }) => name.includes(text)) as MeasuredRule
  const parts: Record<string, () => Promise<object>> = {
    pages: async () => ({
      without_overrides: await each(rules, rule => measurePages(measuring, rule, world.plain_list_id)),
      with_overrides: await each(rules.filter(isOverridden), rule =>
        measurePages(measuring, rule, world.full_list_id),
      ),
    }),
    counts: () => each(rules, rule => measureCount(measuring, rule, world.plain_list_id)),
    requests: () => measureRequests(service.base_url, world, rules.filter(isRequested), rounds),
    neighbours: () =>
      measureNeighbours({
        base_url: service.base_url,
        busy: world,
        neighbour: outsider,
        slow: named('none: description'),
        fast: named('common: status'),
        seconds: 10,
      }),
  }
  for (const [part, measure] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(part)) continue
    const figures = { businesses, ...size, rounds, [part]: await measure(), memory_mib: service.memory() }
    tell(`written to ${writeResults(`lists-${part}`, figures)}`)
  }
}

async function startService(stack: AsyncDisposableStack, data: string | undefined) {
  const folder = data ? resolve(data) : await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  if (!data) stack.defer(() => rm(folder, { recursive: true, force: true }))
  const service = await startProcess(new URL('../../packages/server/src/main.ts', import.meta.url), {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_SCALE: '0',
  })
  stack.defer(() => service.stop())
  const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
  const client = new pg.Client({ ...address, options: '-c search_path=svc,public -c jit=off' })
  await client.connect()
  stack.defer(() => client.end())
  const { users } = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as {
    users: Record<'owner' | 'outsider', Owner>
  }
  return { service, address, client, ...users }
}

async function each(rules: readonly MeasuredRule[], measure: (rule: MeasuredRule) => Promise<object>) {
  const figures: Record<string, object> = {}
  for (const rule of rules) {
    figures[rule.name] = await measure(rule)
    tell(`${rule.name}: ${JSON.stringify(figures[rule.name])}`)
  }
  return figures
}
