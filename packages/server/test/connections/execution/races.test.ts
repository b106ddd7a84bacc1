import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ProblemError } from '@wbs/sdk'
import {
  makeApprovalWorld,
  type ApprovalWorld,
  type Scene,
  type Shown,
} from '../approvals/approval-fixture.ts'
import { proofRuns } from '../../harness/proof.ts'

/** How often each race is run. */
const rounds = proofRuns({ full: 20, short: 2 })

let world: ApprovalWorld
before(async () => void (world = await makeApprovalWorld()))
after(() => world.close())

const key = ({ room_id, connection_id }: Scene) => ({ room_id, connection_id })
const named = ({ approval_id, revision }: Shown) => ({ approval_id, expected_revision: revision })
const approving = (approval: Shown) => ({ ...named(approval), arguments_sha256: approval.arguments_sha256 })

/** `done`, or the code of the refusal. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.code
    throw error
  }
}

/** Several workers that carry an action out at once. One that finds it sent fails, and would be run again. */
const execute = (approval: Shown, workers = 3) =>
  Promise.all(
    Array.from({ length: workers }, () => world.run('execute_approval', approval).catch(() => undefined)),
  )

const endings = async (approval: Shown) =>
  (await world.eventsAbout(approval)).map(({ type }) => type.replace('approval.', '')).slice(1)

describe('races about an approval', () => {
  /** Approves while something else happens, with workers that carry it out meanwhile. */
  const against: Record<
    string,
    { other: (scene: Scene, approval: Shown) => Promise<unknown>; ends: readonly (readonly string[])[] }
  > = {
    'another approver': {
      other: ({ manager }, approval) => manager.approveApproval(approving(approval)),
      ends: [['approved', 'executed']],
    },
    'a refusal': {
      other: ({ manager }, approval) => manager.declineApproval(named(approval)),
      ends: [['approved', 'executed'], ['declined']],
    },
    'a cancellation': {
      other: ({ requester }, approval) => requester.cancelApproval(named(approval)),
      ends: [['approved', 'executed'], ['canceled']],
    },
    'a pause': {
      other: scene => scene.manager.pauseConnection(key(scene)),
      ends: [['approved', 'executed'], ['approved']],
    },
    'a stop': {
      other: scene => scene.manager.stopConnection(key(scene)),
      ends: [['approved', 'executed'], ['approved', 'canceled'], ['canceled']],
    },
    'the expiry': {
      async other(_scene, approval) {
        await world.expireIn(approval, 0.02)
        await world.run('expire_approval', approval)
      },
      ends: [['approved', 'executed'], ['approved', 'expired'], ['approved'], ['expired'], []],
    },
    'the removal of the requester': {
      async other({ manager, room_id }) {
        const { participants } = await manager.listParticipants({ room_id })
        const found = participants.find(one => one.user_id === world.people.guest.user_id)
        await manager.revokeParticipant({ room_id, participant_id: String(found?.participant_id) })
      },
      ends: [['approved', 'executed'], ['approved', 'canceled'], []],
    },
  }
  for (const [what, { other, ends }] of Object.entries(against))
    it(`approving against ${what}: one of them wins, and the action is carried out at most once`, async () => {
      for (let round = 0; round < rounds; round++) {
        const scene = await world.scene()
        const pending = await world.pending(scene)
        const outcomes = await Promise.all([
          outcomeOf(world.approve(scene.sharer, pending)),
          outcomeOf(other(scene, pending)),
          execute(pending),
        ])
        await execute(pending)
        const found = await endings(pending)
        assert.ok(
          ends.some(one => one.join() === found.join()),
          `${found.join()} after ${JSON.stringify(outcomes)}`,
        )
        const sent = world.sent(pending).length
        assert.equal(sent, found.includes('executed') ? 1 : 0, found.join())
        const [approved] = outcomes
        assert.equal(
          approved === 'done' || what === 'another approver',
          found.includes('approved'),
          found.join(),
        )
        if (['another approver', 'a refusal', 'a cancellation'].includes(what))
          assert.deepEqual(outcomes.slice(0, 2).filter(one => one === 'done').length, 1, outcomes.join())
      }
    })

  it('eight workers at once carry an action out once, and save one result', async () => {
    for (let round = 0; round < rounds; round++) {
      const scene = await world.scene()
      const approved = await world.approved(scene)
      await execute(approved, 8)
      assert.equal(world.sent(approved).length, 1)
      assert.deepEqual(await endings(approved), ['approved', 'executed'])
    }
  })

  it('executions against a stop: what was sent ends as executed, and the rest is canceled', async () => {
    for (let round = 0; round < rounds; round++) {
      const scene = await world.scene()
      const all = [await world.approved(scene), await world.approved(scene), await world.approved(scene)]
      await Promise.all([...all.map(one => execute(one)), scene.manager.stopConnection(key(scene))])
      for (const one of all) {
        const found = await endings(one)
        const sent = world.sent(one).length
        assert.deepEqual(found, sent === 1 ? ['approved', 'executed'] : ['approved', 'canceled'])
      }
    }
  })

  it('resumptions against executions: each held approval is carried out once', async () => {
    for (let round = 0; round < rounds; round++) {
      const scene = await world.scene()
      const pending = [await world.pending(scene), await world.pending(scene)]
      await scene.sharer.pauseConnection(key(scene))
      const held = await Promise.all(pending.map(one => world.approve(scene.sharer, one)))
      const resumptions = [scene.sharer, scene.manager].map(one => one.resumeConnection(key(scene)))
      const [resumed] = await Promise.all([Promise.allSettled(resumptions), ...held.map(one => execute(one))])
      assert.equal(resumed.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const one of held) {
        await execute(one)
        assert.equal(world.sent(one).length, 1)
        assert.deepEqual(await endings(one), ['approved', 'executed'])
        assert.ok((await world.jobsFor('execute_approval', one)).length >= 1)
      }
    }
  })
})
