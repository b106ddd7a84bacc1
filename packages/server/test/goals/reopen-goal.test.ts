import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { goalMachine, type GoalStatus } from '@wbs/contract/goals/goals'
import { newId } from '@wbs/contract/ids'
import { nextState } from '@wbs/contract/state-machine'
import { isProblem } from '@wbs/sdk'
import { refused } from '../harness/refused.ts'
import { makeGoalWorld, type GoalWorld } from './goal-fixture.ts'

let world: GoalWorld
before(async () => void (world = await makeGoalWorld()))
after(() => world.close())
const member = () => world.client('member')

const end = (goal_id: string, status: 'completed' | 'canceled', expected_revision = 1) =>
  member().updateGoal({ goal_id, expected_revision, status, terminal_reason: 'Over.' })

describe('POST /v1/goals/{goal_id}/reopen', () => {
  for (const status of ['completed', 'canceled'] as const)
    it(`makes a ${status} Goal active again, and the event keeps how it had ended`, async () => {
      const room_id = await world.room()
      const { goal_id } = await world.goal({ room_id })
      const { data: before } = await end(goal_id, status)
      const { data, receipt } = await member().reopenGoal({
        goal_id,
        expected_revision: 2,
        reason: 'The loan fell through.',
      })
      const { updated_at } = data
      assert.deepEqual(data, {
        ...before,
        status: 'active',
        terminal_reason: null,
        completed_at: null,
        canceled_at: null,
        revision: 3,
        updated_at,
      })
      assert.deepEqual((await member().getGoal({ goal_id })).data, data)
      assert.deepEqual(
        [receipt.operation, receipt.changed],
        ['reopen_goal', ['status', 'terminal_reason', `${status}_at`]],
      )
      const { terminal_reason, completed_at, canceled_at } = before
      assert.deepEqual((await world.historyOf(goal_id)).at(-1), {
        type: 'goal.reopened',
        feed: 'activity',
        room_id,
        data: {
          reason: 'The loan fell through.',
          before: { status, terminal_reason, completed_at, canceled_at },
        },
      })
      const { data: edited } = await member().updateGoal({ goal_id, expected_revision: 3, title: 'On again' })
      assert.equal(edited.title, 'On again')
    })

  it('requires a reason', async () => {
    const { goal_id } = await world.goal()
    await end(goal_id, 'completed')
    for (const reason of [undefined, '', ' \n ', 'a'.repeat(2001), 'a\u0007'])
      await refused(
        member().reopenGoal({ goal_id, expected_revision: 2, ...(reason !== undefined && { reason }) } as {
          goal_id: string
          expected_revision: number
          reason: string
        }),
        'validation_error',
      )
  })

  it('judges visibility, then the level, then the state, then the revision', async () => {
    const room_id = await world.room()
    const { goal_id } = await world.goal({ room_id })
    const stale = { goal_id, expected_revision: 99, reason: 'On again.' }
    assert.equal((await refused(member().reopenGoal(stale), 'state_conflict')).current_status, 'active')
    const hidden = await refused(world.client('owner').reopenGoal(stale), 'not_found')
    const absent = await refused(
      world.client('owner').reopenGoal({ ...stale, goal_id: newId('gol') }),
      'not_found',
    )
    assert.equal(hidden.detail, absent.detail)
    await world.invite(room_id, world.people.owner, 'view')
    await refused(world.client('owner').reopenGoal(stale), 'forbidden')
    await end(goal_id, 'canceled')
    const { current, changed_fields } = await refused(member().reopenGoal(stale), 'revision_conflict')
    assert.deepEqual([current, changed_fields], [2, ['status', 'terminal_reason', 'canceled_at']])
  })

  it('replays its answer although the Goal has ended again', async () => {
    const { goal_id } = await world.goal()
    await end(goal_id, 'completed')
    const options = { idempotency_key: randomUUID() }
    const ask = () => member().reopenGoal({ goal_id, expected_revision: 2, reason: 'On again.' }, options)
    const first = await ask()
    await end(goal_id, 'canceled', 3)
    const again = await ask()
    assert.deepEqual([again.idempotent_replay, again.data], [true, first.data])
    assert.equal((await member().getGoal({ goal_id })).data.status, 'canceled')
  })
})

describe('the states of a Goal', () => {
  const ways: Record<
    keyof typeof goalMachine.moves,
    (goal_id: string, revision: number) => Promise<unknown>
  > = {
    update: (goal_id, expected_revision) =>
      member().updateGoal({ goal_id, expected_revision, title: 'Updated' }),
    complete: (goal_id, revision) => end(goal_id, 'completed', revision),
    cancel: (goal_id, revision) => end(goal_id, 'canceled', revision),
    reopen: (goal_id, expected_revision) =>
      member().reopenGoal({ goal_id, expected_revision, reason: 'On again.' }),
  }

  async function goalThatIs(status: GoalStatus): Promise<{ goal_id: string; revision: number }> {
    const goal = await world.goal()
    assert.equal(goal.status, goalMachine.initial)
    return status === 'active' ? goal : (await end(goal.goal_id, status)).data
  }

  for (const move of Object.keys(ways) as (keyof typeof ways)[])
    for (const from of goalMachine.states) {
      const to = nextState(goalMachine, move, from)
      it(`${move} of a Goal that is ${from}: ${to ?? 'refused'}`, async () => {
        const { goal_id, revision } = await goalThatIs(from)
        const told = await ways[move](goal_id, revision).catch((error: unknown) => error)
        const { data } = await member().getGoal({ goal_id })
        assert.deepEqual(
          isProblem(told, 'state_conflict') ? told.problem.current_status : null,
          to === undefined ? from : null,
        )
        assert.deepEqual([data.status, data.revision], [to ?? from, to ? revision + 1 : revision])
      })
    }
})
