import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newUnorderedId } from '@wbs/contract/ids'
import { mailApprovalRequested } from '../../../src/connections/approvals/mail-approval-requested.ts'
import { createMailbox } from '../../harness/invitations.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'

describe('mail about a requested approval', () => {
  let world: RoomWorld
  before(async () => {
    world = await makeRoomWorld()
  })
  after(() => world.close())

  /** What is mailed if the job of an approval runs now. */
  async function mailedNow(approval_id: string, taskMail = true) {
    const { sendNotice, messages } = createMailbox()
    const { readers } = world.service.database
    const job = mailApprovalRequested({ readers, sendNotice, taskMail })
    await job({ workspace_id: world.workspace_id, approval_id }, { id: 'a-job' })
    return messages
  }

  /** A pending approval in a Room of the member, for a connection that the admin shares. */
  async function approval() {
    const { service, workspace_id, people } = world
    const { admin, guest } = people
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, admin, 'edit')
    await world.invite(room_id, guest, 'edit')
    const [membership] = await service.sql(
      `select id from memberships where workspace_id = $1 and user_id = $2 and status = 'active'`,
      [workspace_id, admin.user_id],
    )
    const [connection_id, approval_id] = [randomUUID(), newUnorderedId('apr', Date.now())]
    await service.sql(
      `insert into room_connections (workspace_id, id, room_id, kind, plugin, origin, label, config, allowed_operations,
         requires_approval, shared_by, membership_id, participant_id, shared_at, updated_at)
       values ($1, $2, $3, 'source', 'http_json', 'https://orders.example', 'Order system', '{}', '{post}', '{post}', $4, $5, $6,
         now(), now())`,
      [workspace_id, connection_id, room_id, admin.user_id, membership?.['id'], participant_id],
    )
    await service.sql(
      `insert into approvals (workspace_id, id, room_id, connection_id, requested_by, asked_of_user_id, operation, summary, note,
         arguments, arguments_sha256, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, 'post', 'POST /orders', 'As agreed', '{"secret":"s3cret"}', repeat('0', 64),
         now() + interval '1 day', now(), now())`,
      [workspace_id, approval_id, room_id, connection_id, guest.user_id, admin.user_id],
    )
    return { room_id, participant_id, connection_id, approval_id }
  }

  it('reaches the sharer, with what is asked and by whom, and without the arguments', async () => {
    const { approval_id } = await approval()
    const [message, ...more] = await mailedNow(approval_id)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [message?.to, message?.subject, message?.id],
      [world.people.admin.email, 'Approval asked for: POST /\u200borders', 'a-job'],
    )
    assert.match(message?.text ?? '', /^guest asks for your approval in the Room “Sale of Glacier”/)
    assert.match(message?.text ?? '', /through “Order system”/)
    assert.match(message?.text ?? '', /guest writes: “As agreed”/)
    assert.doesNotMatch(JSON.stringify(message), /s3cret/)
  })

  it('is not sent while the operator has turned it off, nor for an approval that does not exist', async () => {
    const { approval_id } = await approval()
    assert.deepEqual(await mailedNow(approval_id, false), [])
    assert.deepEqual(await mailedNow('apr_00000000000000000000000000'), [])
  })

  const ends: [when: string, change: string][] = [
    ['it was declined', `update approvals set status = 'declined' where id = $1`],
    ['it was approved', `update approvals set status = 'approved' where id = $1`],
    [
      'it expired, by the clock of the database',
      `update approvals set expires_at = now() - interval '1 second' where id = $1`,
    ],
    [
      'the connection was stopped',
      `update room_connections set status = 'stopped' where id = (select connection_id from approvals where id = $1)`,
    ],
    [
      'what the sharer shared it by has ended',
      `update room_participants set status = 'revoked'
       where id = (select c.participant_id from approvals a join room_connections c on c.id = a.connection_id where a.id = $1)`,
    ],
    [
      'another user is the sharer',
      `update room_connections set shared_by = (select requested_by from approvals where id = $1)
       where id = (select connection_id from approvals where id = $1)`,
    ],
  ]
  for (const [when, change] of ends)
    it(`is not sent once ${when}`, async () => {
      const { approval_id } = await approval()
      assert.equal((await mailedNow(approval_id)).length, 1)
      await world.service.sql(change, [approval_id])
      assert.deepEqual(await mailedNow(approval_id), [])
    })

  it('is sent while the connection is paused: the approval still waits', async () => {
    const { approval_id, connection_id } = await approval()
    await world.service.sql(`update room_connections set status = 'paused' where id = $1`, [connection_id])
    assert.equal((await mailedNow(approval_id)).length, 1)
  })

  it('is not sent to a sharer who may not decide any more, who left the Workspace, or who has no address', async () => {
    const { approval_id } = await approval()
    const { user_id, email } = world.people.admin
    const set = (change: string) =>
      world.service.sql(`update memberships set ${change} where workspace_id = $1 and user_id = $2`, [
        world.workspace_id,
        user_id,
      ])
    const setEmail = (to: string | null) =>
      world.service.sql('update users set email = $2 where id = $1', [user_id, to])
    for (const change of [
      `permissions = '{"approvals:decide": false}'`,
      `permissions = '{"approvals:read": false}'`,
      `permissions = '{}', status = 'removed'`,
    ]) {
      await set(change)
      assert.deepEqual(await mailedNow(approval_id), [])
    }
    await set(`status = 'active'`)
    await setEmail(null)
    assert.deepEqual(await mailedNow(approval_id), [])
    await setEmail(email)
    assert.equal((await mailedNow(approval_id)).length, 1)
  })
})
