import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { nextState } from '@wbs/contract/state-machine'
import {
  taskMachine,
  taskStatuses,
  unfinishedStatuses,
  type TaskStatus,
} from '@wbs/contract/tasks/task-schema'
import { refused } from '../harness/refused.ts'
import { makeTaskWorld, type Task, type TaskWorld } from './task-fixture.ts'

let world: TaskWorld
before(async () => void (world = await makeTaskWorld()))
after(() => world.close())

const client = () => world.by('member')
const at = ({ task_id, revision }: Task) => ({ task_id, expected_revision: revision })

/** A request for each move of the machine. */
const requests = {
  open: (task: Task) => client().updateTask({ ...at(task), status: 'open' }),
  start: (task: Task) => client().updateTask({ ...at(task), status: 'in_progress' }),
  block: (task: Task) => client().updateTask({ ...at(task), status: 'blocked' }),
  complete: (task: Task) => client().completeTask({ ...at(task), note: 'Done.' }),
  cancel: (task: Task) => client().cancelTask({ ...at(task), note: 'Sold.' }),
  reopen: (task: Task) => client().reopenTask({ ...at(task), note: 'Not sold.' }),
} satisfies Record<keyof typeof taskMachine.moves, (task: Task) => Promise<{ data: Task }>>

/** A Task with a status, through the operations. */
async function taskWith(status: TaskStatus): Promise<Task> {
  const task = await world.task()
  if (status === 'open') return task
  if (status === 'done') return (await requests.complete(task)).data
  if (status === 'canceled') return (await requests.cancel(task)).data
  return (await client().updateTask({ ...at(task), status })).data
}

describe('each move of a Task from each status', () => {
  for (const move of Object.keys(requests) as (keyof typeof requests)[])
    for (const from of taskStatuses) {
      const to = nextState(taskMachine, move, from)
      it(
        to === undefined ? `${move} is refused from ${from}` : `${move} leads from ${from} to ${to}`,
        async () => {
          const task = await taskWith(from)
          if (to === undefined) {
            const { current_status, status } = await refused(requests[move](task), 'state_conflict')
            assert.deepEqual([status, current_status], [409, from])
            assert.deepEqual(await world.seen('member', task), task)
          } else {
            const { data } = await requests[move](task)
            assert.deepEqual([data.status, data.revision], [to, task.revision + (from === to ? 0 : 1)])
            assert.deepEqual(await world.seen('member', task), data)
          }
        },
      )
    }

  for (const from of ['done', 'canceled'] as const)
    it(`no other field of a Task that is ${from} can be updated`, async () => {
      const task = await taskWith(from)
      await refused(client().updateTask({ ...at(task), title: 'Late' }), 'state_conflict')
    })
})

describe('the end of a Task', () => {
  it('a canceled one has the note and the time', async () => {
    const task = await world.task()
    const { data, receipt } = await client().cancelTask({ ...at(task), note: 'The deal is off.' })
    assert.deepEqual(
      [data.terminal_reason, data.canceled_at, data.completed_at],
      ['The deal is off.', data.updated_at, null],
    )
    assert.deepEqual(receipt.changed, ['status', 'canceled_at', 'terminal_reason'])
    const without = await client().cancelTask(at(await world.task()))
    assert.deepEqual(
      [without.data.terminal_reason, without.receipt.changed],
      [null, ['status', 'canceled_at']],
    )
    assert.deepEqual(
      (await world.eventsOfTask(task.task_id)).map(({ type }) => type),
      ['task.created', 'task.canceled'],
    )
  })

  it('reopening clears it, and the event keeps it', async () => {
    const done = await taskWith('done')
    const { data, receipt } = await client().reopenTask({ ...at(done), note: 'A page is missing.' })
    assert.deepEqual([data.terminal_reason, data.completed_at, data.canceled_at], [null, null, null])
    assert.deepEqual(receipt.changed, ['status', 'terminal_reason', 'completed_at'])
    const event = (await world.eventsOfTask(done.task_id)).at(-1)
    assert.deepEqual(
      [event?.type, event?.data],
      [
        'task.reopened',
        {
          note: 'A page is missing.',
          earlier: {
            status: 'done',
            terminal_reason: 'Done.',
            completed_at: done.completed_at,
            canceled_at: null,
          },
        },
      ],
    )
  })

  it('the state is judged before the revision, and the revision last', async () => {
    const done = await taskWith('done')
    await refused(client().completeTask({ task_id: done.task_id, expected_revision: 1 }), 'state_conflict')
    const stale = { task_id: done.task_id, expected_revision: 1 }
    const { expected, current } = await refused(client().reopenTask(stale), 'revision_conflict')
    assert.deepEqual([expected, current], [1, 2])
    for (const status of unfinishedStatuses) {
      const task = await taskWith(status)
      const before = { task_id: task.task_id, expected_revision: task.revision - 1 }
      await refused(client().completeTask(before), 'revision_conflict')
      await refused(client().cancelTask(before), 'revision_conflict')
      await refused(client().updateTask({ ...before, title: 'Stale' }), 'revision_conflict')
    }
  })
})
