import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../harness/eventually.ts'
import {
  makeApprovalWorld,
  type ApprovalWorld,
  type Scene,
  type Shown,
} from '../approvals/approval-fixture.ts'

let world: ApprovalWorld
before(async () => {
  world = await makeApprovalWorld({ mailer: { send: () => Promise.resolve() } })
})
after(() => world.close())

const until = (scene: Scene, approval: Shown, status: Shown['status']) =>
  eventually(async () => {
    const now = await world.now(scene, approval)
    return now.status === status && now
  })

describe('the workers of the service', () => {
  it('carry out what was approved, and nothing that was declined', async () => {
    const scene = await world.scene()
    const [one, two] = [await world.pending(scene), await world.pending(scene)]
    await scene.sharer.declineApproval({ approval_id: two.approval_id, expected_revision: 1 })
    await world.approve(scene.sharer, one)
    const { result } = await until(scene, one, 'executed')
    assert.equal(result?.outcome, 'succeeded')
    assert.deepEqual([world.sent(one).length, world.sent(two).length], [1, 0])
  })

  it('carry out what was held when the connection is resumed', async () => {
    const scene = await world.scene()
    const { room_id, connection_id } = scene
    const pending = await world.pending(scene)
    await scene.sharer.pauseConnection({ room_id, connection_id })
    await world.approve(scene.sharer, pending)
    await scene.sharer.resumeConnection({ room_id, connection_id })
    await until(scene, pending, 'executed')
    assert.equal(world.sent(pending).length, 1)
  })

  it('record an expiry when it is due', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene, { expires_at: new Date(Date.now() + 1500).toISOString() })
    const events = await eventually(async () => {
      const found = await world.eventsAbout(pending)
      return found.length > 1 && found
    })
    assert.deepEqual(
      events.map(({ type }) => type),
      ['approval.requested', 'approval.expired'],
    )
    assert.equal((await world.now(scene, pending)).revision, 2)
  })
})
