import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { scopes } from '@wbs/contract/scopes'
import { refused } from '../../../harness/refused.ts'
import { makeApprovalWorld, type ApprovalWorld, type Shown } from '../approval-fixture.ts'

let world: ApprovalWorld
before(async () => void (world = await makeApprovalWorld()))
after(() => world.close())

const approving = ({ approval_id, arguments_sha256, revision }: Shown) => ({
  approval_id,
  arguments_sha256,
  expected_revision: revision,
})
const named = ({ approval_id, revision }: Shown) => ({ approval_id, expected_revision: revision })

describe('POST /v1/approvals/{approval_id}/approve', () => {
  it('approves by the sharer, as a new revision with its event and the job that carries it out', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    const { data, receipt, idempotent_replay } = await scene.sharer.approveApproval({
      ...approving(pending),
      note: 'Fine',
    })
    assert.deepEqual([data.status, data.held_for, data.revision], ['approved', null, 2])
    assert.deepEqual(data.decided_by, { type: 'user', id: world.people.admin.user_id })
    assert.deepEqual([data.decision_note, data.self_decided], ['Fine', false])
    assert.equal(receipt.operation, 'approve_approval')
    assert.deepEqual(receipt.changed, ['status', 'decided_by', 'decided_at', 'decision_note'])
    assert.equal(idempotent_replay, false)
    assert.deepEqual(await world.now(scene, pending), data)
    assert.equal((await world.jobsFor('execute_approval', data)).length, 1)
    assert.deepEqual((await world.eventsAbout(data)).at(-1), {
      type: 'approval.approved',
      data: { connection_id: scene.connection_id, operation: 'change', required: true, held_for: null },
    })
  })

  it('approves by whoever has full access, and their own requests too', async () => {
    const scene = await world.scene()
    const { manager, sharer } = scene
    assert.equal((await world.approve(manager, await world.pending(scene))).status, 'approved')
    const own = await world.pending({ ...scene, requester: manager })
    assert.equal((await world.approve(manager, own)).self_decided, true)
    const ofSharer = await world.pending({ ...scene, requester: sharer })
    assert.equal((await world.approve(sharer, ofSharer)).self_decided, true)
  })

  it('is refused to everybody else: 403 to those who see it, 404 to those who do not', async () => {
    const scene = await world.scene()
    const { requester, room_id } = scene
    const pending = await world.pending(scene)
    await refused(requester.approveApproval(approving(pending)), 'forbidden')
    await world.invite(room_id, world.people.owner, 'edit')
    // A stale revision or a wrong hash does not tell them more.
    const wrong = { ...approving(pending), expected_revision: 7, arguments_sha256: '0'.repeat(64) }
    await refused(world.as(world.people.owner).approveApproval(wrong), 'forbidden')
    const viewer = world.as(world.people.viewer)
    assert.equal(
      (await refused(viewer.approveApproval(wrong), 'forbidden')).required_permission,
      'approvals:decide',
    )
    const hidden = await world.scene()
    const other = await world.pending(hidden)
    const absent = { ...approving(other), approval_id: newId('apr') }
    const owner = world.as(world.people.owner)
    const [one, two] = await Promise.all([
      refused(owner.approveApproval(approving(other)), 'not_found'),
      refused(owner.approveApproval(absent), 'not_found'),
    ])
    assert.equal(one.detail, two.detail)
    assert.equal((await world.now(scene, pending)).revision, 1)
  })

  it('is never open to an API key, whatever its scopes', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    const key = await world.key(world.people.member, scopes)
    for (const decide of [
      () => key.approveApproval(approving(pending)),
      () => key.declineApproval(named(pending)),
    ])
      assert.equal((await refused(decide(), 'forbidden')).required_permission, 'approvals:decide')
    assert.equal((await key.getApproval({ approval_id: pending.approval_id })).data.status, 'pending')
  })

  it('takes only the hash of the arguments that are stored', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    const other = await world.pending(scene, { arguments: { text: 'Paid twice' } })
    for (const arguments_sha256 of [other.arguments_sha256, '0'.repeat(64)])
      await refused(
        scene.sharer.approveApproval({ ...approving(pending), arguments_sha256 }),
        'unprocessable_content',
      )
    const upper = pending.arguments_sha256.toUpperCase()
    await refused(
      scene.sharer.approveApproval({ ...approving(pending), arguments_sha256: upper }),
      'validation_error',
    )
    assert.deepEqual(await world.now(scene, pending), pending)
    assert.equal((await world.eventsAbout(pending)).length, 1)
    assert.deepEqual(await world.jobsFor('execute_approval', pending), [])
  })

  it('refuses a stale revision with the current one, after the state', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    const stale = { ...approving(pending), expected_revision: 2 }
    const problem = await refused(scene.sharer.approveApproval(stale), 'revision_conflict')
    assert.deepEqual([problem.expected, problem.current, problem.changed_fields], [2, 1, ['status']])
    await world.approve(scene.sharer, pending)
    await refused(scene.manager.approveApproval(approving(pending)), 'state_conflict')
  })

  it('refuses while the requester may not ask any more, and can then be declined', async () => {
    const { guest, member } = world.people
    const lost: [string, (scene: Awaited<ReturnType<ApprovalWorld['scene']>>) => Promise<unknown>][] = [
      ['participation', ({ room_id }) => world.level(room_id, guest, null)],
      ['edit access', ({ room_id }) => world.level(room_id, guest, 'view')],
      [
        'participation, with a new one',
        async ({ room_id }) => {
          await world.level(room_id, guest, null)
          await world.invite(room_id, guest, 'full_access')
        },
      ],
    ]
    for (const [what, lose] of lost) {
      const scene = await world.scene()
      const pending = await world.pending(scene)
      await lose(scene)
      const problem = await refused(scene.sharer.approveApproval(approving(pending)), 'state_conflict')
      assert.equal(problem.current_status, 'pending', what)
      assert.match(problem.detail, /requested/)
      const { data } = await scene.sharer.declineApproval(named(pending))
      assert.equal(data.status, 'declined', what)
    }
    const scene = await world.scene()
    const { secret, key_id } = await world.service.apiKey(world.workspace_id, member, ['connections:use'])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const byKey = await world.pending({ ...scene, requester: key })
    for (const change of [`revoked_at = now()`, `expires_at = now()`, `scopes = '{rooms:read}'`]) {
      await world.service.sql(`update api_keys set ${change} where id = $1`, [key_id])
      await refused(scene.sharer.approveApproval(approving(byKey)), 'state_conflict')
      await world.service.sql(
        `update api_keys set revoked_at = null, expires_at = null, scopes = '{connections:use}' where id = $1`,
        [key_id],
      )
    }
    const denied = (permissions: object) =>
      world.service.sql('update memberships set permissions = $2 where workspace_id = $1 and user_id = $3', [
        world.workspace_id,
        permissions,
        member.user_id,
      ])
    await denied({ 'connections:use': false })
    await refused(scene.sharer.approveApproval(approving(byKey)), 'state_conflict')
    await denied({})
    assert.equal((await world.approve(scene.sharer, byKey)).status, 'approved')
  })

  it('is refused to a sharer whose sharing has ended, who then is a stranger to the request', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    const { admin } = world.people
    await world.level(scene.room_id, admin, null)
    await refused(scene.sharer.approveApproval(approving(pending)), 'not_found')
    await world.invite(scene.room_id, admin, 'edit')
    await refused(scene.sharer.approveApproval(approving(pending)), 'forbidden')
    const problem = await refused(scene.manager.approveApproval(approving(pending)), 'state_conflict')
    assert.equal(problem.current_status, 'canceled')
  })

  it('is refused in an archived Room, as every decision is', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    await scene.manager.archiveRoom({ room_id: scene.room_id, expected_revision: 1 })
    for (const decide of [
      () => scene.sharer.approveApproval(approving(pending)),
      () => scene.sharer.declineApproval(named(pending)),
      () => scene.requester.cancelApproval(named(pending)),
    ])
      assert.equal((await refused(decide(), 'state_conflict')).current_status, 'archived')
  })

  it('answers a repeated request with the first answer, as long as the caller sees the Room', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    const idempotency_key = randomUUID()
    const approve = () => scene.sharer.approveApproval(approving(pending), { idempotency_key })
    const answers = await Promise.all(Array.from({ length: 16 }, approve))
    assert.equal(answers.filter(answer => !answer.idempotent_replay).length, 1)
    assert.equal((await world.jobsFor('execute_approval', pending)).length, 1)
    await world.run('execute_approval', pending)
    const again = await approve()
    assert.deepEqual([again.idempotent_replay, again.data.status], [true, 'approved'])
    await refused(scene.sharer.declineApproval(named(pending), { idempotency_key }), 'idempotency_key_reused')
    await world.level(scene.room_id, world.people.admin, null)
    await refused(approve(), 'not_found')
  })
})

describe('POST /v1/approvals/{approval_id}/decline', () => {
  it('declines by the sharer or a manager, and nothing is carried out', async () => {
    const scene = await world.scene()
    for (const client of [scene.sharer, scene.manager]) {
      const pending = await world.pending(scene)
      const { data, receipt } = await client.declineApproval({ ...named(pending), note: 'Too much' })
      assert.deepEqual([data.status, data.decision_note, data.revision], ['declined', 'Too much', 2])
      assert.equal(receipt.operation, 'decline_approval')
      await world.run('execute_approval', pending)
      assert.deepEqual(world.sent(pending), [])
      assert.deepEqual(
        (await world.eventsAbout(pending)).map(({ type }) => type),
        ['approval.requested', 'approval.declined'],
      )
    }
  })

  it('is refused to the requester, and for a stale revision', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    await refused(scene.requester.declineApproval(named(pending)), 'forbidden')
    const stale = { ...named(pending), expected_revision: 0 }
    await refused(scene.sharer.declineApproval(stale), 'revision_conflict')
  })
})

describe('POST /v1/approvals/{approval_id}/cancel', () => {
  it('cancels by the requester, who may have less access by now, and by a manager', async () => {
    const scene = await world.scene()
    const [one, two] = [await world.pending(scene), await world.pending(scene)]
    await world.level(scene.room_id, world.people.guest, 'view')
    const { data, receipt } = await scene.requester.cancelApproval({ ...named(one), note: 'Not needed' })
    assert.deepEqual([data.status, data.self_decided, data.decision_note], ['canceled', true, 'Not needed'])
    assert.equal(receipt.operation, 'cancel_approval')
    assert.equal((await scene.manager.cancelApproval(named(two))).data.self_decided, false)
    const event = (await world.eventsAbout(one)).at(-1)
    assert.deepEqual([event?.type, event?.data['reason']], ['approval.canceled', 'canceled'])
  })

  it('is refused to the sharer, and for a stale revision', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    await refused(scene.sharer.cancelApproval(named(pending)), 'forbidden')
    const stale = { ...named(pending), expected_revision: 5 }
    await refused(scene.requester.cancelApproval(stale), 'revision_conflict')
  })

  it('is open to the API key that asked, and to no other of the same person', async () => {
    const scene = await world.scene()
    const { owner } = world.people
    await world.invite(scene.room_id, owner, 'edit')
    const [key, other] = await Promise.all([
      world.key(owner, ['connections:use']),
      world.key(owner, ['connections:use']),
    ])
    const byKey = await world.pending({ ...scene, requester: key })
    await refused(other.cancelApproval(named(byKey)), 'forbidden')
    assert.equal((await key.cancelApproval(named(byKey))).data.status, 'canceled')
    const inPerson = await world.pending({ ...scene, requester: world.as(owner) })
    await refused(key.cancelApproval(named(inPerson)), 'forbidden')
    const again = await world.pending({ ...scene, requester: key })
    assert.equal((await world.as(owner).cancelApproval(named(again))).data.status, 'canceled')
  })

  it('is not open to an API key for the requests of others, also if its owner manages the Room', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    const key = await world.key(world.people.member, scopes)
    await refused(key.cancelApproval(named(pending)), 'forbidden')
    assert.equal((await world.now(scene, pending)).status, 'pending')
  })
})
