import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient, type Client } from '@wbs/sdk'
import { quantile, rounded, writeResults } from './results.ts'
import { startProcess } from './service-process.ts'

const tell = (line: string) => console.error(`# ${line}`)

interface Quickstart {
  workspace_id: string
  users: Record<'owner', { access_token: string }>
}

/** When each event was first seen by a reader, by its id. */
type Seen = Map<string, number>

/**
 * The feed: how many events a second `--writers N` (8) write into Rooms of their own in `--seconds S` (10), alone and while
 * a long poll and `--streams N` (500) streams follow; and after how long the followers have them, counted from when the
 * writer had its answer. What follows is slower than what it would be on a machine that does not run the readers as well.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      writers: { type: 'string', default: '8' },
      seconds: { type: 'string', default: '10' },
      streams: { type: 'string', default: '500' },
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  const service = await startProcess('../packages/server/src/main.ts', {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_SCALE: '0',
    SVC_SAMPLE_DATA: 'off',
  })
  try {
    const { users, workspace_id } = JSON.parse(
      await readFile(join(folder, 'quickstart.json'), 'utf8'),
    ) as Quickstart
    const { access_token } = users.owner
    const { base_url } = service
    const client = createClient({ base_url, access_token, workspace_id })
    const load = { writers: Number(values.writers), seconds: Number(values.seconds) }

    const alone = await write(client, load)
    tell(`alone: ${rounded(alone.rate)} events a second`)
    const hangUp = new AbortController()
    const polled: Seen = new Map()
    const streamed = Array.from({ length: Number(values.streams) }, (): Seen => new Map())
    const cursor = await endOf(client)
    const polling = poll(client, cursor, polled, hangUp.signal)
    const who = { access_token, workspace_id }
    const open = []
    // One after the other: all at once they would take every place that the service has for reads.
    for (const seen of streamed)
      open.push(await follow(`${base_url}/v1/events/stream`, who, seen, hangUp.signal))
    tell(`${open.length} streams are open`)
    const together = await write(client, load)
    await settled(together.written.size, [polled, ...streamed])
    hangUp.abort()
    await Promise.all([polling, ...open.map(one => one.closed)])

    const figures = {
      ...load,
      streams: streamed.length,
      events_per_second: { alone: rounded(alone.rate), with_readers: rounded(together.rate) },
      long_poll_ms: delays(together.written, [polled]),
      streams_ms: delays(together.written, streamed),
      memory_mib: service.memory(),
    }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults('feed', figures)}`)
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Opens Rooms one after the other, by several at once; gives when each of the Rooms' first event was answered for. */
async function write(client: Client, load: { writers: number; seconds: number }) {
  const begun = performance.now()
  const end = begun + load.seconds * 1000
  const written: Seen = new Map()
  const writer = async () => {
    while (performance.now() < end) {
      const { room } = await client.createRoom({ title: 'A Room' }, { idempotency_key: randomUUID() })
      written.set(room.room_id, performance.now())
    }
  }
  await Promise.all(Array.from({ length: load.writers }, writer))
  return { written, rate: written.size / ((performance.now() - begun) / 1000) }
}

/** Where the feed ends. */
async function endOf(client: Client): Promise<string | null> {
  let cursor: string | null = null
  for (;;) {
    const page: Awaited<ReturnType<Client['listEventChanges']>> = await client.listEventChanges({
      cursor,
      limit: 100,
    })
    cursor = page.cursor
    if (!page.has_more) return cursor
  }
}

/** Follows by long polls. */
async function poll(client: Client, start: string | null, seen: Seen, signal: AbortSignal): Promise<void> {
  let cursor = start
  while (!signal.aborted) {
    const page = await client
      .listEventChanges({ cursor, limit: 100, wait_seconds: 20 }, { signal })
      .catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    for (const event of page?.data ?? []) seen.set(event.room.id, performance.now())
    cursor = page?.cursor ?? null
  }
}

/** Opens a stream, and follows it. Of each event only the Room is read: there are many to read. */
function follow(
  url: string,
  { access_token, workspace_id }: { access_token: string; workspace_id: string },
  seen: Seen,
  signal: AbortSignal,
): Promise<{ closed: Promise<void> }> {
  const headers = { authorization: `Bearer ${access_token}`, 'svc-workspace-id': workspace_id }
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, signal, agent: false }, response => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      let rest = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        const now = performance.now()
        rest += text
        const end = rest.lastIndexOf('\n\n') + 1
        for (const [, room_id = ''] of rest.slice(0, end).matchAll(/"room":\{"id":"(\w+)"/g))
          seen.set(room_id, now)
        rest = rest.slice(end)
      })
      // A stream that ends early lacks events, which is noticed.
      response.on('error', () => {}).on('close', close)
      resolve({ closed })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Waits until every reader has as many events as were written. */
async function settled(count: number, readers: readonly Seen[]): Promise<void> {
  for (let waited = 0; readers.some(seen => seen.size < count); waited += 100) {
    if (waited > 60_000) throw new Error('Some readers never had all events.')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

function delays(written: Seen, readers: readonly Seen[]) {
  const all = readers.flatMap(seen => [...written].map(([id, at]) => (seen.get(id) ?? Number.NaN) - at))
  return {
    median: rounded(quantile(all, 0.5), 0),
    p95: rounded(quantile(all, 0.95), 0),
    p99: rounded(quantile(all, 0.99), 0),
  }
}
