import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { startOtherNode } from '../harness/other-node.ts'
import { enterRoom } from '../harness/rooms.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { refused } from '../harness/refused.ts'

const minutes = 60_000
const shifted = (by: number) => () => new Date(Date.now() + by)

/** Three nodes on one database, of which one is ten minutes ahead and one behind. */
describe('nodes whose clocks differ', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  const nodes: { base_url: string; close(): Promise<void> }[] = []
  before(async () => {
    service = await startTestService()
    for (const by of [10 * minutes, -10 * minutes])
      nodes.push(await startOtherNode(service, { now: shifted(by) }))
    olivia = longLived('Olivia')
    workspace_id = await service.workspace('Harbor', olivia)
  })
  after(async () => {
    for (const node of nodes) await node.close()
    await service.close()
  })

  /** Somebody whose token is valid on every node. */
  function longLived(name: string): Person {
    const seconds = Math.floor(Date.now() / 1000)
    return service.person(name, { iat: seconds - 1200, exp: seconds + 2400 })
  }
  const onAll = (person: Person): Client[] =>
    [service, ...nodes].map(({ base_url }) =>
      service.client({ base_url, access_token: person.token, workspace_id, attempts: 1 }),
    )

  it('report events in the order of the commits, to followers and in lists', async () => {
    const clients = onAll(olivia)
    const opened: string[] = []
    for (let i = 0; i < 12; i++)
      opened.push((await (clients[i % 3] as Client).createRoom({ title: `Room ${i}` })).room.room_id)
    for (const reader of clients) {
      const followed: string[] = []
      let cursor: string | null = null
      for (let goesOn = true; goesOn;) {
        const page = await reader.listEventChanges({ cursor, limit: 5 })
        followed.push(...page.data.map(event => event.room.id))
        cursor = page.cursor
        goesOn = page.has_more
      }
      assert.deepEqual(followed, opened)
      const { data } = await reader.listEvents({ limit: 100 })
      assert.deepEqual(data.map(event => event.room.id).toReversed(), opened)
    }
  })

  it('end access by the clock of the database', async () => {
    const { room } = await olivia.client.createRoom({ title: 'For a while' }, { workspace_id })
    const gus = longLived('Gus')
    await gus.client.createWorkspace({ name: 'His own' })
    const id = await enterRoom(service, { workspace_id, room_id: room.room_id }, gus, 'edit')
    const ends = (when: string) =>
      service.sql(`update room_participants set expires_at = now() + $2::interval where id = $1`, [id, when])
    await ends('5 minutes')
    for (const client of onAll(gus)) await client.getRoom({ room_id: room.room_id })
    await ends('-1 second')
    for (const client of onAll(gus)) await refused(client.getRoom({ room_id: room.room_id }), 'forbidden')
  })

  it('end API keys by the clock of the database', async () => {
    const { key_id, secret } = await service.apiKey(workspace_id, olivia, ['rooms:read'])
    const ends = (when: string) =>
      service.sql(`update api_keys set expires_at = now() + $2::interval where id = $1`, [key_id, when])
    const keys = [service, ...nodes].map(({ base_url }) =>
      service.client({ base_url, api_key: secret, workspace_id, attempts: 1 }),
    )
    await ends('5 minutes')
    for (const key of keys) await key.listRooms()
    await ends('-1 second')
    for (const key of keys) await refused(key.listRooms(), 'unauthenticated')
  })

  it('know a repeated request for what it is, and a stale revision', async () => {
    const [exact, ahead, behind] = onAll(olivia) as [Client, Client, Client]
    const options = { idempotency_key: randomUUID() }
    const first = await ahead.createRoom({ title: 'Once' }, options)
    for (const client of [behind, exact]) {
      const again = await client.createRoom({ title: 'Once' }, options)
      assert.deepEqual([again.idempotent_replay, again.room], [true, first.room])
    }
    const { room_id } = first.room
    await behind.updateRoom({ room_id, expected_revision: 1, title: 'Behind' })
    await refused(ahead.updateRoom({ room_id, expected_revision: 1, title: 'Ahead' }), 'revision_conflict')
    const { room } = await ahead.updateRoom({ room_id, expected_revision: 2, title: 'Ahead' })
    assert.equal(room.title, 'Ahead')
  })
})
