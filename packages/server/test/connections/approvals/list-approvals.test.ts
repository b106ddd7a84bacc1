import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../../harness/refused.ts'
import { makeApprovalWorld, type ApprovalWorld, type Scene, type Shown } from './approval-fixture.ts'

let world: ApprovalWorld
before(async () => void (world = await makeApprovalWorld()))
after(() => world.close())

type Client = Scene['manager']
type Filter = Parameters<Client['listApprovals']>[0]
const idsOf = (shown: readonly Pick<Shown, 'approval_id'>[]) => shown.map(one => one.approval_id)
const listed = async (client: Client, filter: Filter) => idsOf((await client.listApprovals(filter)).data)

async function allPages(client: Client, filter: Filter): Promise<string[]> {
  const found: string[] = []
  for await (const one of client.listApprovals.each(filter)) found.push(one.approval_id)
  return found
}

describe('GET /v1/approvals', () => {
  it('lists those of the Rooms that the caller can open, by id, in pages', async () => {
    const [one, two] = [await world.scene(), await world.scene()]
    const mine: string[] = []
    for (const scene of [one, two, one]) mine.push((await world.pending(scene)).approval_id)
    const owner = world.as(world.people.owner)
    assert.deepEqual(await listed(owner, {}), [])
    await world.invite(one.room_id, world.people.owner, 'view')
    assert.deepEqual(await listed(owner, {}), [mine[0], mine[2]])
    assert.deepEqual(await allPages(owner, { limit: 1 }), [mine[0], mine[2]])
    assert.deepEqual(await listed(owner, { room_id: one.room_id }), [mine[0], mine[2]])
    await refused(owner.listApprovals({ room_id: two.room_id }), 'not_found')
    await refused(owner.listApprovals({ room_id: newId('rom') }), 'not_found')
    const all = await allPages(one.manager, { limit: 1 })
    assert.deepEqual(
      all.filter(id => mine.includes(id)),
      mine,
    )
    assert.deepEqual(all, [...all].sort())
  })

  it('filters by the status that counts now, and by who is asked', async () => {
    const scene = await world.scene()
    const { room_id, sharer, manager } = scene
    const [pending, approved, expired] = [
      await world.pending(scene),
      await world.approved(scene),
      await world.pending(scene),
    ]
    await world.expireIn(expired, -1)
    const by = (status: Shown['status']) => listed(manager, { room_id, status: status as never })
    assert.deepEqual(await by('pending'), [pending.approval_id])
    assert.deepEqual(await by('approved'), [approved.approval_id])
    assert.deepEqual(await by('expired'), [expired.approval_id])
    assert.deepEqual(await by('canceled'), [])
    const all = idsOf([pending, approved, expired])
    assert.deepEqual(await listed(sharer, { room_id, asked_of: 'me' }), all)
    assert.deepEqual(await listed(sharer, { asked_of: 'me', room_id, status: 'pending' }), [
      pending.approval_id,
    ])
    assert.deepEqual(await listed(manager, { asked_of: 'me' }), [])
    const key = await world.key(world.people.admin, ['approvals:read'])
    assert.deepEqual(await listed(key, { asked_of: 'me', room_id }), all)
    // A sharer who has lost the Room does not see any more what they were asked there.
    await world.level(room_id, world.people.admin, null)
    assert.ok(!(await allPages(sharer, { asked_of: 'me' })).includes(pending.approval_id))
  })

  it('needs approvals:read, and no access to another Workspace', async () => {
    const scene = await world.scene()
    const { approval_id } = await world.pending(scene)
    const weak = await world.key(world.people.member, ['connections:use'])
    assert.equal((await refused(weak.listApprovals({}), 'forbidden')).required_permission, 'approvals:read')
    await refused(weak.getApproval({ approval_id }), 'forbidden')
    const { rival } = world.people
    const own = (await rival.client.listWorkspaces({})).data[0]
    const elsewhere = world.service.client({ access_token: rival.token, workspace_id: String(own?.id) })
    await refused(elsewhere.getApproval({ approval_id }), 'not_found')
    assert.deepEqual(await listed(elsewhere, {}), [])
  })

  it('ends a page early where the arguments are large, and continues behind it', async () => {
    const scene = await world.scene()
    const text = 'x'.repeat(64_000)
    const ids: string[] = []
    for (let count = 0; count < 20; count++)
      ids.push((await world.pending(scene, { arguments: { text } })).approval_id)
    const { data, page } = await scene.manager.listApprovals({ room_id: scene.room_id, limit: 100 })
    assert.ok(data.length > 1 && data.length < 20, String(data.length))
    assert.equal(page.has_more, true)
    assert.deepEqual(await allPages(scene.manager, { room_id: scene.room_id, limit: 100 }), ids)
  })
})

describe('in a Room that hides guests from each other', () => {
  let scene: Scene
  let mine: Shown
  before(async () => {
    scene = await world.scene()
    await world.invite(scene.room_id, world.people.rival, 'edit')
    await world.service.sql(`update rooms set participant_visibility = 'managers' where id = $1`, [
      scene.room_id,
    ])
    mine = await world.pending(scene)
  })
  const rival = () => world.as(world.people.rival)

  it('a rival sees nothing of the request of another guest: not in lists, by id, or in events', async () => {
    const { approval_id, arguments_sha256 } = mine
    const absent = newId('apr')
    const [hidden, none] = [
      await refused(rival().getApproval({ approval_id }), 'not_found'),
      await refused(rival().getApproval({ approval_id: absent }), 'not_found'),
    ]
    assert.equal(hidden.detail, none.detail)
    assert.deepEqual(await listed(rival(), {}), [])
    assert.deepEqual(await listed(rival(), { room_id: scene.room_id, status: 'pending', limit: 1 }), [])
    const { data } = await rival().listEvents({ room_id: scene.room_id })
    assert.ok(!JSON.stringify(data).includes(approval_id))
    const decision = { approval_id, expected_revision: 1 }
    await refused(rival().approveApproval({ ...decision, arguments_sha256 }), 'not_found')
    await refused(rival().declineApproval(decision), 'not_found')
    await refused(rival().cancelApproval(decision), 'not_found')
  })

  it('everybody else sees it, and a rival their own', async () => {
    for (const client of [scene.requester, scene.sharer, scene.manager])
      assert.deepEqual(await listed(client, { room_id: scene.room_id }), [mine.approval_id])
    const own = await world.pending({ ...scene, requester: rival() })
    assert.deepEqual(await listed(rival(), {}), [own.approval_id])
    assert.deepEqual(await listed(scene.requester, { room_id: scene.room_id }), [mine.approval_id])
  })

  it('a guest who manages the Room is not named to another one for whom they decide', async () => {
    await world.level(scene.room_id, world.people.rival, 'full_access')
    const { data } = await rival().declineApproval({ approval_id: mine.approval_id, expected_revision: 1 })
    assert.equal(data.decided_by?.id, world.people.rival.user_id)
    const { data: seen } = await scene.requester.getApproval({ approval_id: mine.approval_id })
    assert.deepEqual([seen.status, seen.decided_by, seen.self_decided], ['declined', null, false])
    assert.ok(!JSON.stringify(seen).includes(world.people.rival.user_id))
    const page = await scene.requester.listApprovals({ room_id: scene.room_id })
    assert.ok(!JSON.stringify(page).includes(world.people.rival.user_id))
    const { data: events } = await scene.requester.listEvents({ room_id: scene.room_id })
    assert.ok(!JSON.stringify(events).includes(world.people.rival.user_id))
    assert.equal((await world.now(scene, mine)).decided_by?.id, world.people.rival.user_id)
  })
})
