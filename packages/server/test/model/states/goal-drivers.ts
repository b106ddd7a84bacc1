import { randomUUID } from 'node:crypto'
import type { DriverOf } from './driver.ts'
import type { StateWorld } from './state-world.ts'

export function goalDriver({ us }: StateWorld): DriverOf<'goal'> {
  return {
    async make() {
      const { room } = await us.createRoom({ title: 'Sale of Glacier' })
      const { data } = await us.createGoal({ title: 'Close the purchase', room_id: room.room_id })
      const { goal_id } = data
      const read = async () => (await us.getGoal({ goal_id })).data
      const named = async () => ({ goal_id, expected_revision: (await read()).revision })
      const end = (status: 'completed' | 'canceled') => async () =>
        us.updateGoal({ ...(await named()), status, terminal_reason: 'It is settled.' })
      return {
        async look() {
          const { status, revision } = await read()
          return { state: status, revision }
        },
        moves: {
          update: async () => us.updateGoal({ ...(await named()), title: `Close ${randomUUID()}` }),
          complete: end('completed'),
          cancel: end('canceled'),
          reopen: async () => us.reopenGoal({ ...(await named()), reason: 'It was not settled.' }),
        },
      }
    },
  }
}

export function taskDriver({ us }: StateWorld): DriverOf<'task'> {
  return {
    async make() {
      const { room } = await us.createRoom({ title: 'Sale of Glacier' })
      const { data } = await us.createTask({ title: 'Send the tax returns', room_id: room.room_id })
      const { task_id } = data
      const read = async () => (await us.getTask({ task_id })).data
      const named = async () => ({ task_id, expected_revision: (await read()).revision })
      const set = (status: 'open' | 'in_progress' | 'blocked') => async () =>
        us.updateTask({ ...(await named()), status })
      return {
        async look() {
          const { status, revision } = await read()
          return { state: status, revision }
        },
        moves: {
          open: set('open'),
          start: set('in_progress'),
          block: set('blocked'),
          complete: async () => us.completeTask({ ...(await named()), note: 'Sent.' }),
          cancel: async () => us.cancelTask({ ...(await named()), note: 'Not needed.' }),
          reopen: async () => us.reopenTask({ ...(await named()), note: 'One is missing.' }),
        },
      }
    },
  }
}
