import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { AccessLevel } from '@wbs/contract/scopes'
import {
  makeApprovalWorld,
  type ApprovalWorld,
  type Scene,
  type Shown,
} from '../approvals/approval-fixture.ts'

let world: ApprovalWorld
before(async () => void (world = await makeApprovalWorld()))
after(() => world.close())

const key = ({ room_id, connection_id }: Scene) => ({ room_id, connection_id })

/** Takes a permission from a member of the Workspace while something runs. */
async function without(user_id: string, permission: string, work: () => Promise<void>): Promise<void> {
  const set = (permissions: object) =>
    world.service.sql('update memberships set permissions = $3 where workspace_id = $1 and user_id = $2', [
      world.workspace_id,
      user_id,
      permissions,
    ])
  await set({ [permission]: false })
  try {
    await work()
  } finally {
    await set({})
  }
}

async function assertCanceled(scene: Scene, approval: Shown, reason: string): Promise<void> {
  await world.run('execute_approval', approval)
  const { status, held_for } = await world.now(scene, approval)
  assert.deepEqual([status, held_for, world.sent(approval)], ['canceled', null, []])
  const event = (await world.eventsAbout(approval)).at(-1)
  assert.deepEqual([event?.type, event?.data['reason']], ['approval.canceled', reason])
}

/** An approval that is approved, and one that was held and has been released by a resumption. */
const ways: Record<string, (scene: Scene, approver?: Scene['manager']) => Promise<Shown>> = {
  'between the approval and the execution': async (scene, approver = scene.sharer) =>
    world.approve(approver, await world.pending(scene)),
  'while the approval was held': async (scene, approver = scene.sharer) => {
    const pending = await world.pending(scene)
    await world.save(key(scene), 'paused')
    return world.approve(approver, pending)
  },
}

for (const [when, approved] of Object.entries(ways)) {
  /** Resumes the connection, if it was paused for the approval. */
  const released = async (scene: Scene) => {
    if (when === 'while the approval was held') await scene.manager.resumeConnection(key(scene))
  }

  describe(`nothing is sent if somebody lost their authority ${when}:`, () => {
    const losses: [string, (room_id: string) => Promise<unknown>][] = [
      ['the requester was removed', room_id => world.level(room_id, world.people.guest, null)],
      ['the requester may only view', room_id => world.level(room_id, world.people.guest, 'view')],
      [
        'the requester was removed and invited again',
        async room_id => {
          await world.level(room_id, world.people.guest, null)
          await world.invite(room_id, world.people.guest, 'full_access')
        },
      ],
    ]
    for (const [what, lose] of losses)
      it(what, async () => {
        const scene = await world.scene()
        const approval = await approved(scene)
        await lose(scene.room_id)
        await released(scene)
        await assertCanceled(scene, approval, 'requester_lost_authority')
      })

    it('the API key that asked was revoked, has expired, or lost the scope', async () => {
      for (const change of ['revoked_at = now()', 'expires_at = now()', `scopes = '{rooms:read}'`]) {
        const scene = await world.scene()
        const { member } = world.people
        const { secret, key_id } = await world.service.apiKey(world.workspace_id, member, ['connections:use'])
        const requester = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
        const approval = await approved({ ...scene, requester })
        await world.service.sql(`update api_keys set ${change} where id = $1`, [key_id])
        await released(scene)
        await assertCanceled(scene, approval, 'requester_lost_authority')
      }
    })

    it('the requester lost connections:use', async () => {
      const scene = await world.scene()
      const { owner } = world.people
      await world.invite(scene.room_id, owner, 'edit')
      const approval = await approved({ ...scene, requester: world.as(owner) })
      await released(scene)
      await without(owner.user_id, 'connections:use', () =>
        assertCanceled(scene, approval, 'requester_lost_authority'),
      )
    })

    const deciders: [string, AccessLevel | null][] = [
      ['the manager who approved was removed', null],
      ['the manager who approved may only edit', 'edit'],
    ]
    for (const [what, level] of deciders)
      it(what, async () => {
        const scene = await world.scene()
        const { owner } = world.people
        await world.invite(scene.room_id, owner, 'full_access')
        const approval = await approved(scene, world.as(owner))
        await world.level(scene.room_id, owner, level)
        await released(scene)
        await assertCanceled(scene, approval, 'decider_lost_authority')
      })

    it('the one who approved lost approvals:decide', async () => {
      const scene = await world.scene()
      const approval = await approved(scene)
      await released(scene)
      await without(world.people.admin.user_id, 'approvals:decide', () =>
        assertCanceled(scene, approval, 'decider_lost_authority'),
      )
    })

    it('the sharer was removed', async () => {
      const scene = await world.scene()
      const approval = await approved(scene, scene.manager)
      await world.level(scene.room_id, world.people.admin, null)
      await assertCanceled(scene, approval, 'connection_stopped')
    })

    it('the Workspace was suspended', async () => {
      const scene = await world.scene()
      const approval = await approved(scene)
      await released(scene)
      const set = (status: string) =>
        world.service.sql('update workspaces set status = $2 where id = $1', [world.workspace_id, status])
      await set('suspended')
      try {
        await world.run('execute_approval', approval)
      } finally {
        await set('active')
      }
      await assertCanceled(scene, approval, 'workspace_not_active')
    })

    it('the Room was archived', async () => {
      const scene = await world.scene()
      const approval = await approved(scene)
      await released(scene)
      await scene.manager.archiveRoom({ room_id: scene.room_id, expected_revision: 1 })
      await assertCanceled(scene, approval, 'room_archived')
    })
  })
}

describe('a member who left the Workspace', () => {
  it('has nothing carried out that they asked for, approved or shared, not even after they came back', async () => {
    const { owner } = world.people
    for (const part of ['requested', 'approved', 'shared'] as const) {
      const scene = await world.scene()
      const leaver = world.service.person('Leo')
      const membership_id = await joined(leaver)
      await world.invite(scene.room_id, leaver, 'full_access')
      const client = world.as(leaver)
      const shared = part === 'shared' ? { ...scene, ...(await world.share(scene.room_id, leaver)) } : scene
      const asking = part === 'requested' ? { ...shared, requester: client } : shared
      const approval = await world.approve(
        part === 'approved' ? client : scene.manager,
        await world.pending(asking),
      )
      await world.as(owner).removeMembership({ membership_id, expected_revision: 1 })
      await joined(leaver)
      await world.level(scene.room_id, leaver, null)
      await world.invite(scene.room_id, leaver, 'edit')
      await world.run('execute_approval', approval)
      assert.equal((await world.now(scene, approval)).status, 'canceled', part)
      assert.deepEqual(world.sent(approval), [])
    }
  })

  async function joined(person: Parameters<typeof world.as>[0]): Promise<string> {
    return world.service.join(world.workspace_id, person, 'member')
  }
})
