import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@wbs/sdk'
import { numbersFrom } from '../../crash/seed.ts'
import { eventually } from '../../harness/eventually.ts'
import { proofRuns, proofSeed } from '../../harness/proof.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { someApp } from '../../harness/test-app.ts'
import { paceOfWorkers, startWorker } from './worker-order.ts'

/** How many approvals are carried out while processes and sessions are killed. */
const wanted = proofRuns({ full: 120, short: 24 })
const random = numbersFrom(proofSeed())

interface Place {
  client: Client
  workspace_id: string
  room_id: string
  connection_id: string
}

interface Ended {
  id: string
  status: string
  code: string | null
  sent: boolean
  ends: number
}

describe('no action is carried out twice while processes and sessions of the database are killed', () => {
  let service: TestService
  let app: Awaited<ReturnType<typeof startApp>>
  const places: Place[] = []
  before(async () => {
    service = await startTestService({ pace: paceOfWorkers })
    app = await startApp()
    // A node carries out one action of a Workspace at a time.
    for (const name of ['One', 'Two', 'Three', 'Four']) places.push(await newPlace(name))
  })
  after(async () => {
    await app.close()
    await service.close()
  })

  /** An app that counts how often it was asked for each approval, and takes its time. */
  async function startApp() {
    const counts = new Map<string, number>()
    const server = createServer((request, response) => {
      const answer = async () => {
        const key = await text(request)
        counts.set(key, (counts.get(key) ?? 0) + 1)
        await sleep(random() < 0.1 ? 400 : random() * 40)
        response.setHeader('content-type', 'application/json').end('{"done":true}')
      }
      // A process that is killed leaves its request unfinished.
      answer().catch(() => response.destroy())
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const close = () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    }
    return { counts, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  async function newPlace(name: string): Promise<Place> {
    const person = service.person(name)
    const workspace_id = await service.workspace(name, person)
    const client = service.client({ access_token: person.token, workspace_id })
    const { room } = await client.createRoom({ title: name })
    const { data } = await client.shareConnection({ room_id: room.room_id, ...someApp })
    return { client, workspace_id, room_id: room.room_id, connection_id: data.connection_id }
  }

  /** Requests and approves an action. The client repeats what was cut off, with the same key. */
  async function approveOne({ client, room_id, connection_id }: Place, name: string): Promise<string> {
    const asked = { room_id, connection_id, operation: 'change', arguments: { name } }
    const { data } = await client.requestApproval(asked)
    const { approval_id, arguments_sha256 } = data
    await client.approveApproval({ approval_id, arguments_sha256, expected_revision: 1 })
    return approval_id
  }

  const endSession = () =>
    service.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like '%svc_writer%' order by random() limit 1`,
    )

  /** As if a minute had passed for actions that were sent some seconds ago and whose result is not there. */
  const passTime = () =>
    service.sql(
      `update approvals set sent_at = sent_at - interval '1 minute'
       where status = 'approved' and sent_at between now() - interval '1 minute' and now() - interval '2 seconds'`,
    )

  const openOnes = async () =>
    (await service.sql(`select from approvals where status not in ('executed', 'failed')`)).length

  const timesAsked = () => app.counts.values().reduce((sum, count) => sum + count, 0)

  const order = () => ({ address: service.testDatabase.address, app_url: app.url })

  it(`${wanted} approvals`, { timeout: proofRuns({ full: 1_800_000, short: 300_000 }) }, async t => {
    let kills = 0
    const asked = new AbortController()
    const approving = Promise.all(
      places.map(async (place, at) => {
        const ids: string[] = []
        for (let n = at; n < wanted; n += places.length) {
          ids.push(await approveOne(place, String(n)))
          // Spread over the kills.
          await sleep(random() * 900)
        }
        return ids
      }),
    ).finally(() => asked.abort())
    const isMuchLeft = async () => !asked.signal.aborted || (await openOnes()) > wanted / 8
    /** Waits until the app was asked again, however slow the machine is. */
    const untilAsked = async () => {
      for (const before = timesAsked(); timesAsked() === before && (await isMuchLeft()); await sleep(20))
        await passTime()
    }
    while (await isMuchLeft()) {
      const workers = await Promise.all([startWorker(order()), startWorker(order())])
      for (let cuts = 0; cuts < 3; cuts++) {
        await untilAsked()
        await sleep(random() * 50)
        await endSession()
      }
      await untilAsked()
      await sleep(random() * 50)
      await Promise.all(workers.map(worker => worker.kill()))
      kills++
    }
    const ids = (await approving).flat()
    const last = await startWorker(order())
    try {
      await eventually(async () => {
        await passTime()
        await sleep(200)
        return (await openOnes()) === 0
      })
    } finally {
      await last.kill()
    }
    const rows = await service.sql<Ended>(
      `select id, status, result ->> 'code' as code, sent_at is not null as sent,
         (select count(*)::int from events e
          where e.subject ->> 'id' = a.id and e.type in ('approval.executed', 'approval.failed')) as ends
       from approvals a order by id`,
    )
    assert.deepEqual(rows.map(({ id }) => id).sort(), ids.sort())
    for (const { id, status, code, sent, ends } of rows) {
      const count = app.counts.get(id) ?? 0
      const told = `${id} was carried out ${count} times and is ${status} ${code}`
      assert.ok(count <= 1, told)
      assert.ok(sent && ends === 1, told)
      if (status === 'executed') assert.equal(count, 1, told)
      else assert.equal(code, 'outcome_unknown', told)
    }
    const executed = rows.filter(({ status }) => status === 'executed').length
    assert.ok(executed > proofRuns({ full: 30, short: 3 }), `only ${executed} were executed`)
    t.diagnostic(
      `${kills} times two processes were killed; ${executed} executed, ${wanted - executed} unknown`,
    )
  })
})
