import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeApprovalWorld, type ApprovalWorld, type Scene, type Shown } from './approval-fixture.ts'

let world: ApprovalWorld
// The clock of the node is an hour behind that of the database, which decides.
before(async () => {
  world = await makeApprovalWorld({ now: () => new Date(Date.now() - 3_600_000) })
})
after(() => world.close())

const typesOf = async (approval: Shown) => (await world.eventsAbout(approval)).map(({ type }) => type)
const saved = async ({ approval_id }: Shown) => {
  const [row] = await world.service.sql('select status, revision from approvals where id = $1', [approval_id])
  return [row?.['status'], row?.['revision']]
}
const decisions = ({ sharer, requester }: Scene, { approval_id, arguments_sha256 }: Shown) => {
  const named = { approval_id, expected_revision: 1 }
  return [
    () => sharer.approveApproval({ ...named, arguments_sha256 }),
    () => sharer.declineApproval(named),
    () => requester.cancelApproval(named),
  ]
}

describe('an approval expires by the clock of the database', () => {
  it('counts the bounds of expires_at by it', async () => {
    const scene = await world.scene()
    const in30Days = new Date(Date.now() + 30 * 86_400_000 - 60_000).toISOString()
    assert.equal((await world.pending(scene, { expires_at: in30Days })).expires_at, in30Days)
    const halfAnHourAgo = new Date(Date.now() - 1_800_000).toISOString()
    await refused(world.pending(scene, { expires_at: halfAnHourAgo }), 'validation_error')
  })

  it('shows at once that it has expired and refuses decisions, and no read saves that', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    const etag = (
      await world.service.request(`/v1/approvals/${pending.approval_id}`, ofManager())
    ).headers.get('etag')
    await world.expireIn(pending, -1)
    assert.equal((await world.now(scene, pending)).status, 'expired')
    const again = await world.service.request(`/v1/approvals/${pending.approval_id}`, ofManager(String(etag)))
    assert.deepEqual([again.status, again.body.data.status], [200, 'expired'])
    for (const decide of decisions(scene, pending))
      assert.equal((await refused(decide(), 'state_conflict')).current_status, 'expired')
    assert.deepEqual(await saved(pending), ['pending', 1])
    assert.deepEqual(await typesOf(pending), ['approval.requested'])
  })

  const ofManager = (etag?: string) => ({
    token: world.people.member.token,
    headers: { 'svc-workspace-id': world.workspace_id, ...(etag !== undefined && { 'if-none-match': etag }) },
  })

  it('is recorded once by its job, with its event', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    await world.run('expire_approval', pending)
    assert.deepEqual(await saved(pending), ['pending', 1], 'it is not due yet')
    await world.expireIn(pending, -1)
    await Promise.all(Array.from({ length: 4 }, () => world.run('expire_approval', pending)))
    assert.deepEqual(await saved(pending), ['expired', 2])
    assert.deepEqual(await typesOf(pending), ['approval.requested', 'approval.expired'])
  })

  it('expires on time while it is held, and a resumption does not run it', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    await scene.sharer.pauseConnection({ room_id: scene.room_id, connection_id: scene.connection_id })
    const held = await world.approve(scene.sharer, pending)
    assert.deepEqual([held.status, held.held_for], ['approved', 'resume'])
    assert.deepEqual(await world.jobsFor('execute_approval', held), [])
    await world.expireIn(held, -1)
    const now = await world.now(scene, held)
    assert.deepEqual([now.status, now.held_for], ['expired', null])
    await scene.sharer.resumeConnection({ room_id: scene.room_id, connection_id: scene.connection_id })
    assert.deepEqual(await world.jobsFor('execute_approval', held), [])
    await world.run('execute_approval', held)
    assert.deepEqual(world.sent(held), [])
    assert.deepEqual(await saved(held), ['expired', 3])
  })

  it('expires if it was approved in time and could not be sent in time', async () => {
    const scene = await world.scene()
    const approved = await world.approved(scene)
    await world.expireIn(approved, -1)
    assert.equal((await world.now(scene, approved)).status, 'expired')
    await world.run('execute_approval', approved)
    assert.deepEqual(world.sent(approved), [])
    assert.equal((await typesOf(approved)).at(-1), 'approval.expired')
  })

  it('shows a request as canceled once the sharing has ended, which the jobs record', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    await world.level(scene.room_id, world.people.admin, null)
    assert.equal((await world.now(scene, pending)).status, 'canceled')
    assert.deepEqual(await saved(pending), ['pending', 1])
    const [, decline] = decisions({ ...scene, sharer: scene.manager }, pending)
    assert.equal(
      (await refused(decline?.() ?? Promise.resolve(), 'state_conflict')).current_status,
      'canceled',
    )
    await world.run('expire_approval', pending)
    assert.deepEqual(await saved(pending), ['canceled', 2])
    assert.deepEqual((await world.eventsAbout(pending)).at(-1)?.data['reason'], 'connection_stopped')
  })

  it('does not come back when the sharer is invited again', async () => {
    const scene = await world.scene()
    const [pending, held] = [await world.pending(scene), await world.pending(scene)]
    const key = { room_id: scene.room_id, connection_id: scene.connection_id }
    await scene.sharer.pauseConnection(key)
    await world.approve(scene.sharer, held)
    await world.level(scene.room_id, world.people.admin, null)
    await world.invite(scene.room_id, world.people.admin, 'full_access')
    for (const one of [pending, held]) {
      assert.equal((await world.now(scene, one)).status, 'canceled')
      await world.run('execute_approval', one)
      assert.deepEqual(world.sent(one), [])
    }
    const problem = await refused(scene.sharer.resumeConnection(key), 'state_conflict')
    assert.equal(problem.current_status, 'stopped')
  })

  it('is canceled with its event when the connection is stopped, unless it had expired', async () => {
    const scene = await world.scene()
    const [pending, approved, expired] = [
      await world.pending(scene),
      await world.approved(scene),
      await world.pending(scene),
    ]
    await world.expireIn(expired, -1)
    const { room_id, connection_id } = scene
    await scene.manager.stopConnection({ room_id, connection_id }, { idempotency_key: randomUUID() })
    for (const one of [pending, approved]) {
      const event = (await world.eventsAbout(one)).at(-1)
      assert.deepEqual([event?.type, event?.data['reason']], ['approval.canceled', 'connection_stopped'])
      assert.equal((await world.now(scene, one)).status, 'canceled')
    }
    for (const decide of decisions(scene, pending))
      assert.equal((await refused(decide(), 'state_conflict')).current_status, 'canceled')
    assert.equal((await world.now(scene, expired)).status, 'expired')
    await world.run('expire_approval', expired)
    assert.equal((await typesOf(expired)).at(-1), 'approval.expired')
  })
})
