import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createClient, type Client } from '@wbs/sdk'
import {
  isAlive,
  postmasterOf,
  usedDataFolder,
  type DataFolder,
  type ServiceProcess,
} from '../harness/process.ts'
import { proofRuns, proofSeed } from '../harness/proof.ts'
import { numbersFrom } from './seed.ts'

/** How often each kind of crash happens. */
const rounds = proofRuns({ full: 10, short: 1 })
const random = numbersFrom(proofSeed())

/** A Workspace requested under a key, which is also its name, and the id that was answered, if any. */
interface Wish {
  key: string
  answered: string | null
}

describe('kill -9 at any moment during a stream of changes', () => {
  let folder: DataFolder
  let service: ServiceProcess
  /** A client that retries by itself, and one that does not. */
  let client: Client
  let hasty: Client
  const wishes: Wish[] = []

  before(async () => {
    folder = await usedDataFolder()
    await start()
  })
  after(() => folder.remove())

  async function start(): Promise<void> {
    service = await folder.start({ SVC_SAMPLE_DATA: 'off' })
    const { users } = await service.quickstart()
    const settings = { base_url: service.base_url, access_token: users.newcomer?.access_token ?? '' }
    client = createClient(settings)
    hasty = createClient({ ...settings, attempts: 1 })
  }

  /** Four clients that create Workspaces, one after the other, until something is killed and they are told to stop. */
  async function whileWishing(kill: () => Promise<void>): Promise<void> {
    const first = wishes.length
    const stop = new AbortController()
    const wisher = async () => {
      while (!stop.signal.aborted) {
        const wish: Wish = { key: randomUUID(), answered: null }
        wishes.push(wish)
        await fulfil(wish, hasty).catch(() => sleep(150))
      }
    }
    const wishing = Promise.all(Array.from({ length: 4 }, wisher))
    await sleep(30 + random() * 300)
    while (!wishes.slice(first).some(wish => wish.answered)) await sleep(1)
    await kill()
    await sleep(30)
    stop.abort()
    await wishing
  }

  async function fulfil(wish: Wish, through: Client): Promise<boolean> {
    const { workspace, idempotent_replay } = await through.createWorkspace(
      { name: wish.key },
      { idempotency_key: wish.key },
    )
    assert.equal(workspace.name, wish.key)
    assert.equal(workspace.id, wish.answered ?? workspace.id)
    wish.answered = workspace.id
    return idempotent_replay
  }

  const readiness = async () => (await fetch(`${service.base_url}/ready`).catch(() => null))?.status === 200

  async function untilReady(): Promise<void> {
    for (const until = Date.now() + 60_000; !(await readiness()); await sleep(20))
      assert.ok(Date.now() < until, 'the service does not find back by itself')
  }

  async function killBackend(): Promise<void> {
    const admin = new pg.Client({ host: join(folder.path, 'postgres'), user: 'svc', database: 'postgres' })
    admin.on('error', () => {})
    await admin.connect()
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'wbs svc_writer' order by state = 'active' desc limit 1`,
    )
    await admin.end()
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  }

  async function killPostmaster(): Promise<void> {
    const pid = postmasterOf(folder.path)
    assert.ok(pid)
    process.kill(pid, 'SIGKILL')
    while (isAlive(pid)) await sleep(5)
  }

  const deaths: Record<string, () => Promise<void>> = {
    'of the service': async () => {
      await service.end('SIGKILL')
      await start()
    },
    'of the service and of its database': async () => {
      await Promise.all([service.end('SIGKILL'), killPostmaster()])
      await start()
    },
    'of one session of the database, which takes all others along': async () => {
      await killBackend()
      await untilReady()
    },
    'of the database': async () => {
      await killPostmaster()
      await untilReady()
    },
  }
  for (const [title, death] of Object.entries(deaths))
    it(`${title}: what was answered is there, and every key has one Workspace`, async context => {
      for (let round = 0; round < rounds; round++) {
        const first = wishes.length
        await whileWishing(death)
        const now = wishes.slice(first)
        const answered = now.filter(wish => wish.answered !== null)
        const replays: { wish: Wish; replay: boolean }[] = []
        const left = now.values()
        const repeat = async () => {
          for (const wish of left) replays.push({ wish, replay: await fulfil(wish, client) })
        }
        await Promise.all(Array.from({ length: 8 }, repeat))
        for (const { wish, replay } of replays) if (answered.includes(wish)) assert.ok(replay, wish.key)
        const unseen = replays.filter(({ wish, replay }) => replay && !answered.includes(wish)).length
        context.diagnostic(
          `${now.length} asked, ${answered.length} answered, ${unseen} done without an answer`,
        )
      }
    })

  it('at the end there is one Workspace for each key, and no other', async () => {
    const found = new Map<string, string>()
    for await (const workspace of client.listWorkspaces.each({ limit: 100 })) {
      assert.ok(!found.has(workspace.name), `two are called ${workspace.name}`)
      found.set(workspace.name, workspace.id)
    }
    assert.deepEqual(found, new Map(wishes.map(wish => [wish.key, wish.answered])))
  })

  it('each of which has its one receipt, event and command, and none is left dangling', async () => {
    const admin = new pg.Client({ host: join(folder.path, 'postgres'), user: 'svc', database: 'postgres' })
    await admin.connect()
    const { rows } = await admin.query(
      `select count(*)::int as workspaces,
              count(*) filter (where (select count(*) from svc.receipts r where r.workspace_id = w.id) = 1)::int as receipts,
              count(*) filter (where (select count(*) from svc.events e where e.workspace_id = w.id) = 1)::int as events,
              count(*) filter (where (select count(*) from svc.commands c where c.receipt_workspace_id = w.id and c.answer is not null) = 1)::int as commands,
              (select count(*)::int from svc.commands where answer is null) as dangling
       from svc.workspaces w where w.name = any ($1)`,
      [wishes.map(wish => wish.key)],
    )
    await admin.end()
    const { length } = wishes
    assert.deepEqual(rows, [
      { workspaces: length, receipts: length, events: length, commands: length, dangling: 0 },
    ])
  })
})
