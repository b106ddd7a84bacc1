import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@wbs/sdk'
import { usedDataFolder, type ServiceProcess } from '../harness/process.ts'
import { eventually } from '../harness/eventually.ts'

const settings = { SVC_SAMPLE_DATA: 'off', SVC_DRAIN_SECONDS: '120' }
const statusOf = async (service: ServiceProcess, path: string) =>
  (await fetch(`${service.base_url}${path}`)).status

describe('a node with SVC_DRAIN_SECONDS that is told to stop', () => {
  it('says so on /ready, serves everything, streams included, and ends at once when it is told again', async t => {
    const folder = await usedDataFolder(t)
    const service = await folder.start(settings)
    const { users, workspace_id } = await service.quickstart()
    const { base_url } = service
    const client = createClient({
      base_url,
      access_token: users.owner?.access_token ?? '',
      workspace_id,
      attempts: 1,
    })
    await client.createRoom({ title: 'Before' })
    const { cursor } = await client.listEventChanges({ limit: 100 })
    const follower = new AbortController()
    const events = client.events.follow({ cursor, signal: follower.signal })
    const first = events.next()

    process.kill(service.pid, 'SIGTERM')
    await eventually(async () => (await statusOf(service, '/ready')) === 503)
    const refusal = (await (await fetch(`${base_url}/ready`)).json()) as { code: string; detail: string }
    assert.deepEqual(
      [refusal.code, refusal.detail],
      ['unavailable', 'This node is about to stop. Send requests to another one.'],
    )
    assert.equal(await statusOf(service, '/health'), 200)
    const { room } = await client.createRoom({ title: 'Meanwhile' })
    assert.equal((await first).value?.subject.id, room.room_id)
    // npm and a terminal may both deliver the first signal, so only a later one counts.
    await sleep(600)
    const ended = service.end()
    follower.abort()
    assert.equal(await ended, 0)
    assert.doesNotMatch(service.output(), /"level":(40|50)/)
  })

  it('ends by itself when the time is over', async t => {
    const folder = await usedDataFolder(t)
    const service = await folder.start({ ...settings, SVC_DRAIN_SECONDS: '1' })
    const begun = performance.now()
    const ended = service.end()
    await eventually(async () => (await statusOf(service, '/ready')) === 503)
    assert.equal(await ended, 0)
    assert.ok(performance.now() - begun > 900)
  })
})
