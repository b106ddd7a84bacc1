import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { approvalMachine, type ApprovalState } from '@wbs/contract/connections/approvals'
import { nextState } from '@wbs/contract/state-machine'
import { refused } from '../../harness/refused.ts'
import { makeApprovalWorld, type ApprovalWorld, type Scene, type Shown } from './approval-fixture.ts'

type Move = keyof typeof approvalMachine.moves

let world: ApprovalWorld
before(async () => void (world = await makeApprovalWorld()))
after(() => world.close())

const key = ({ room_id, connection_id }: Scene) => ({ room_id, connection_id })
const named = ({ approval_id, revision }: Shown) => ({ approval_id, expected_revision: revision })

/** Brings a new approval into a state, as people and jobs do. */
const into: Record<ApprovalState, (scene: Scene) => Promise<Shown>> = {
  pending: scene => world.pending(scene),
  approved: scene => world.approved(scene),
  async held(scene) {
    const pending = await world.pending(scene)
    await scene.sharer.pauseConnection(key(scene))
    return world.approve(scene.sharer, pending)
  },
  async declined(scene) {
    return (await scene.sharer.declineApproval(named(await world.pending(scene)))).data
  },
  async canceled(scene) {
    return (await scene.requester.cancelApproval(named(await world.pending(scene)))).data
  },
  async expired(scene) {
    const pending = await world.pending(scene)
    await world.expireIn(pending, -1)
    await world.run('expire_approval', pending)
    return world.now(scene, pending)
  },
  executed: scene => carriedOut(scene),
  async failed(scene) {
    world.app.answers(() => ({ outcome: 'refused', detail: 'No.' }))
    const failed = await carriedOut(scene)
    world.app.answers(() => ({ outcome: 'succeeded', output: null }))
    return failed
  },
}

async function carriedOut(scene: Scene): Promise<Shown> {
  const approved = await world.approved(scene)
  await world.run('execute_approval', approved)
  return world.now(scene, approved)
}

/** Carries out an approved action while the app answers so. */
async function runWith(approval: Shown, outcome: 'succeeded' | 'refused') {
  world.app.answers(() =>
    outcome === 'succeeded' ? { outcome, output: null } : { outcome, detail: 'The app refused it.' },
  )
  await world.run('execute_approval', approval)
  world.app.answers(() => ({ outcome: 'succeeded', output: null }))
}

/** Moves that people request: where the table has none, they are refused. */
const requested: Partial<Record<Move, (scene: Scene, approval: Shown) => Promise<unknown>>> = {
  approve: (scene, approval) => world.approve(scene.sharer, approval),
  async approve_while_paused(scene, approval) {
    await world.save(key(scene), 'paused')
    await world.approve(scene.sharer, approval)
  },
  decline: ({ sharer }, approval) => sharer.declineApproval(named(approval)),
  cancel: ({ requester }, approval) => requester.cancelApproval(named(approval)),
}

/** Moves that happen by themselves or to the connection: where the table has none, the approval stays as it is. */
const happening: Partial<Record<Move, (scene: Scene, approval: Shown) => Promise<unknown>>> = {
  async expire(_scene, approval) {
    await world.expireIn(approval, -1)
    await world.run('expire_approval', approval)
  },
  async hold(scene, approval) {
    await world.save(key(scene), 'error')
    await world.run('execute_approval', approval)
  },
  async resume(scene) {
    await world.save(key(scene), 'paused')
    await scene.sharer.resumeConnection(key(scene))
  },
  stop: scene => scene.sharer.stopConnection(key(scene)),
  async lose_authority(scene, approval) {
    await world.level(scene.room_id, world.people.guest, 'view')
    await world.run('execute_approval', approval)
  },
  execute: (_scene, approval) => runWith(approval, 'succeeded'),
  fail: (_scene, approval) => runWith(approval, 'refused'),
}

const stateOf = ({ status, held_for }: Shown) => (held_for === null ? status : 'held')

describe('the state machine of approvals', () => {
  for (const move of Object.keys(approvalMachine.moves) as Move[])
    for (const state of approvalMachine.states) {
      const next = nextState(approvalMachine, move, state)
      const perform = requested[move]
      it(`${move} from ${state}: ${next ?? (perform ? 'refused' : 'nothing changes')}`, async () => {
        const scene = await world.scene()
        const before = await into[state](scene)
        assert.equal(stateOf(before), state)
        const events = (await world.eventsAbout(before)).length
        const acting = (perform ?? happening[move])?.(scene, before)
        assert.ok(acting, `${move} has a way to happen`)
        if (next === undefined && perform) {
          const problem = await refused(acting, 'state_conflict')
          assert.equal(problem.current_status, before.status)
        } else await acting
        const now = await world.now(scene, before)
        assert.equal(stateOf(now), next ?? state)
        if (next === undefined) {
          assert.deepEqual({ ...now, expires_at: null }, { ...before, expires_at: null })
          assert.equal((await world.eventsAbout(before)).length, events)
        } else assert.equal(now.revision, before.revision + 1)
      })
    }
})
