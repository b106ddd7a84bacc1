import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { ProblemCode } from '@wbs/contract/problems'
import type { Client } from '@wbs/sdk'
import { unlocked } from '../harness/lock-waits.ts'
import type { Person } from '../harness/service.ts'
import { refused } from '../harness/refused.ts'
import { makeRoomWorld, whileOpen, type RoomWorld } from './room-fixture.ts'

interface Loss {
  client: Client
  sql: string
  value: string
}

describe('while a Room is locked by a change', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())

  /** A Room, and a member who has changed it, so that the node knows their standing. */
  async function changedRoom(): Promise<{ room_id: string; person: Person; membership_id: string }> {
    const room_id = await world.room()
    const person = world.service.person('Max')
    const membership_id = await world.service.join(world.workspace_id, person, 'member')
    await world.invite(room_id, person, 'full_access')
    await retitle(person, room_id, 1)
    return { room_id, person, membership_id }
  }

  const retitle = (person: Person, room_id: string, expected_revision: number, key: string = randomUUID()) =>
    world
      .as(person)
      .updateRoom({ room_id, expected_revision, title: `Title ${key}` }, { idempotency_key: key })

  type Change = [what: string, change: (person: Person, room_id: string) => Promise<unknown>]
  const changes: Change[] = [
    ['change its title', (person, room_id) => retitle(person, room_id, 2)],
    [
      'attach a Business',
      (person, room_id) =>
        world
          .as(person)
          .attachRoomResource({ room_id, resource_type: 'business', resource_id: newId('biz') }),
    ],
    [
      'remove an attachment',
      (person, room_id) => world.as(person).detachRoomResource({ room_id, attachment_id: randomUUID() }),
    ],
  ]
  const leaving: Change = ['leave it', (person, room_id) => world.as(person).leaveRoom({ room_id })]
  const lost: [who: string, loss: string, Change[]][] = [
    [
      'is no longer a member',
      `update memberships set status = 'removed' where id = $1`,
      [...changes, leaving],
    ],
    [
      'may no longer change Rooms',
      `update memberships set permissions = '{"rooms:write": false}' where id = $1`,
      changes,
    ],
  ]
  for (const [who, loss, wanted] of lost)
    for (const [what, change] of wanted)
      it(`somebody who ${who} and tries to ${what} is refused without waiting`, async () => {
        const { room_id, person, membership_id } = await changedRoom()
        await world.service.sql(loss, [membership_id])
        await whileOpen(world, room_id, () =>
          refused(unlocked(world.service, change(person, room_id)), 'forbidden'),
        )
      })

  const retitleBy = (client: Client, room_id: string, expected_revision: number) =>
    client.updateRoom({ room_id, expected_revision, title: `Title ${randomUUID()}` })

  /** Guests and keys, and how they lose their access. */
  const others: [who: string, loses: (room_id: string) => Promise<Loss>, code: ProblemCode][] = [
    [
      'a key that was narrowed',
      async () => {
        const { service, workspace_id, people } = world
        const { key_id, secret } = await service.apiKey(workspace_id, people.member, [
          'rooms:read',
          'rooms:write',
        ])
        const client = service.client({ api_key: secret, workspace_id })
        return { client, sql: `update api_keys set scopes = '{rooms:read}' where id = $1`, value: key_id }
      },
      'forbidden',
    ],
    ['a guest who was let go of, but not of every Room,', guestOfTwo, 'not_found'],
  ]

  async function guestOfTwo(room_id: string): Promise<Loss> {
    const { guest } = world.people
    await world.invite(await world.room(), guest, 'view')
    const participant = await world.invite(room_id, guest, 'full_access')
    const sql = `update room_participants set status = 'revoked' where id = $1`
    return { client: world.as(guest), sql, value: participant }
  }

  for (const [who, loses, code] of others)
    it(`${who} is refused without waiting`, async () => {
      const room_id = await world.room()
      const { client, sql, value } = await loses(room_id)
      await retitleBy(client, room_id, 1)
      await world.service.sql(sql, [value])
      await whileOpen(world, room_id, () =>
        refused(unlocked(world.service, retitleBy(client, room_id, 2)), code),
      )
    })

  it('a repeated change is answered without waiting', async () => {
    const { room_id, person } = await changedRoom()
    const key = randomUUID()
    const first = await retitle(person, room_id, 2, key)
    const again = await whileOpen(world, room_id, () =>
      unlocked(world.service, retitle(person, room_id, 2, key)),
    )
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual(again.room, first.room)
  })
})
