import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../bench/mutations/mutations-services.ts'
import { quantile } from '../../bench/quantiles.ts'
import { ofOperators, writeResults } from '../../bench/results.ts'
import { createClient } from '../../packages/sdk/src/index.ts'
import { numbersFrom } from '../../packages/server/test/crash/seed.ts'
import { json, startLocalApp } from '../../packages/server/test/plugins/http-json/local-app.ts'
import { startFollowers } from '../load/followers.ts'
import { startLoad } from '../load/load.ts'
import { startTransfers } from '../load/transfers.ts'
import { faultsOf, verifyInDatabase, verifyOverHttp } from '../load/verify.ts'
import { makeWorkspaces } from '../load/workspaces.ts'
import { startedParts } from '../nodes/stack.ts'
import { faultsOfFiles, faultsOfWork } from './verify.ts'
import { startWork } from './work.ts'

/**
 * One service with the embedded PostgreSQL gets SIGTERM `--rounds N` times, each at a random moment of a load of changes,
 * reads, text Files, uploads, valuations, streams, and actions of an app that takes up to 4 seconds, and is started again on
 * the same data. It ends in time with code 0; what was acknowledged is there once; and the app got each approved action once.
 * `--seed S` repeats the moments and the times that the app takes. docs/guides/operating.md says what happens at a stop.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    port: { type: 'string', default: '23400' },
  },
})
const seed = Number(values.seed)
console.error(`# --seed ${seed}`)
const moments = numbersFrom(seed)
const appTimes = numbersFrom(seed + 1)
const base_url = `http://127.0.0.1:${values.port}`
const longestStop = 20_000

await using running = startedParts()
const folder = await mkdtemp(join(tmpdir(), 'wbs-stopping-'))
running.defer(() => rm(folder, { recursive: true, force: true }))
const app = await startLocalApp()
running.defer(() => app.close())
app.answers(response => void sleep(appTimes() * 4000).then(() => json(response, { done: true })))

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
// As `npm start` has it.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))
const start = () =>
  startService(main, folder, {
    NODE_COMPILE_CACHE,
    PORT: values.port,
    LOG_LEVEL: 'error',
    SVC_CONNECTION_HOSTS: `localhost:${app.port}`,
    SVC_CONNECTION_ALLOW_PRIVATE: 'on',
  })
let service = await start()
running.defer(() => service.stop())
let listening = Promise.resolve()
// A request that fails while the service stops is told so after the start, or the pauses of the SDK would grow beyond a round.
const send: typeof fetch = async (...sent) => {
  try {
    return await fetch(...sent)
  } catch (error) {
    await listening
    throw error
  }
}

const person = { base_url, access_token: service.owner.access_token }
const owner = createClient(person)
const { workspace } = await owner.createWorkspace({ name: 'Work' })
const ofWork = { ...person, workspace_id: workspace.id, attempts: 100 }
const worker = createClient(ofWork)
const { room_id } = (await worker.createRoom({ title: 'Sale of the mill' })).room
const { connection_id } = (
  await worker.shareConnection({
    room_id,
    kind: 'source',
    plugin: 'http_json',
    label: 'Orders',
    config: { base_url: `http://localhost:${app.port}/` },
    allowed_operations: ['post'],
  })
).data
const workspaces = await makeWorkspaces(base_url, person.access_token, 2)
const followers = await startFollowers(base_url, workspaces, 1, send)
const load = startLoad({ base_url, workspaces, changers: 2, readers: 1, pause: 100, fetch: send })
const transfers = startTransfers(base_url, workspaces.slice(0, 1), 12 * 2 ** 20, { fetch: send, pause: 500 })
const work = startWork(ofWork, { room_id, connection_id }, send, 200)

const faults: string[] = []
const stops: { moment_ms: number; stopped_ms: number; started_ms: number; code: unknown }[] = []
for (let round = 0; round < Number(values.rounds); round++) {
  const moment = Math.round(moments() * 2500)
  await untilBusy()
  await sleep(moment)
  const begun = performance.now()
  const stopping = service
  const started = Promise.withResolvers<void>()
  listening = started.promise
  const code = await Promise.race([stopping.stop().then(() => stopping.ended), sleep(longestStop, 'late')])
  const stopped = performance.now()
  if (code !== 0) faults.push(`round ${round + 1}: the service ended with ${code}`)
  await stopping.ended
  const again = performance.now()
  service = await start()
  started.resolve()
  stops.push({
    moment_ms: moment,
    stopped_ms: Math.round(stopped - begun),
    started_ms: Math.round(performance.now() - again),
    code,
  })
  const { acknowledged } = load.progress()
  console.error(
    `# round ${round + 1}: ${JSON.stringify(stops.at(-1))}; ${acknowledged} changes, ${work.done()} calls of work`,
  )
}

/** Waits until the clients are back, five seconds at most. */
async function untilBusy(): Promise<void> {
  const [calls, changes] = [work.done(), load.progress().acknowledged]
  const isBusy = () => work.done() > calls + 2 && load.progress().acknowledged > changes + 2
  for (const end = performance.now() + 5000; !isBusy() && performance.now() < end;) await sleep(20)
}

const [report, moved, worked] = await Promise.all([load.stop(), transfers.stop(), work.stop()])
const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
const findings = [
  await verifyInDatabase(report, address),
  await verifyOverHttp(report, base_url, workspaces),
] as const
const followed = await followers.stop(address)
const clients = [
  worker,
  ...workspaces.map(({ api_key, workspace_id }) => createClient({ base_url, api_key, workspace_id })),
]
const keys = app.received.map(({ headers }) => String(headers['idempotency-key']))
const attempts = [...report.attempts, ...moved.attempts, ...followed.attempts, ...worked.attempts]
const shown = Map.groupBy(attempts, ({ status, reason }) =>
  status === null ? 'no answer' : `${status} ${reason}`,
)
const refused = [...shown.keys()].filter(what => what !== 'no answer' && !what.startsWith('503 '))
const { uploads, downloads } = moved
faults.push(
  ...faultsOf(...findings),
  ...report.unanswered.map(({ idempotency_key, error }) => `${idempotency_key}: ${error}`),
  ...report.failed_reads,
  ...report.stale_reads.map(read => `a stale read: ${JSON.stringify(read)}`),
  ...worked.unanswered,
  ...(await faultsOfWork(worker, worked, keys)),
  ...(await Promise.all(clients.map(faultsOfFiles))).flat(),
  ...(moved.damaged + uploads.failed + downloads.failed > 0 ? [`transfers: ${JSON.stringify(moved)}`] : []),
  ...(followed.missed + followed.doubled > 0 ? [`events: ${JSON.stringify(followed)}`] : []),
  ...refused,
)
const took = (of: 'stopped_ms' | 'started_ms') => {
  const all = stops.map(stop => stop[of])
  return { p50: quantile(all, 0.5), max: quantile(all, 1) }
}
const figures = {
  seed,
  rounds: stops.length,
  ended_with_0: stops.filter(({ code }) => code === 0).length,
  stopped_ms: took('stopped_ms'),
  started_ms: took('started_ms'),
  changes: report.changes,
  reads: report.reads,
  uploads,
  downloads,
  streams: { ...followed, attempts: followed.attempts.length },
  texts: worked.texts.length,
  valuations: worked.valuations.length,
  actions: { approved: worked.actions.length, received: keys.length },
  attempts_without_success: Object.fromEntries(shown.entries().map(([what, all]) => [what, all.length])),
  verified: findings.map(({ lost, doubled, ...rest }) => ({
    ...rest,
    lost: lost.length,
    doubled: doubled.length,
  })),
  faults: new Set(faults).size,
}
console.log(JSON.stringify(figures, null, 2))
for (const fault of new Set(faults)) console.error(fault)
console.error(`# written to ${writeResults('stopping', figures, ofOperators)}`)
if (faults.length > 0) process.exitCode = 1
