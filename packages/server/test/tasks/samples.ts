import type { Samples } from '../operations/sample.ts'
import type { World } from '../operations/world.ts'
import { freshRoom } from '../rooms/fresh-room.ts'
import { addGoal, freshRevision, freshTask, taskWithFile } from './fresh-task.ts'

export const samples = {
  create_task: {
    // It is assigned, because the first job of a kind takes a round trip more.
    input: async world => ({
      title: 'Send the lease',
      room_id: await freshRoom(world),
      business_id: world.published_id,
      assignee_user_id: world.people.member.user_id,
      due_at: '2027-01-31T17:00:00+01:00',
      priority: 'high',
    }),
    others: {
      'without a Room': () => ({ title: 'Call the lender' }),
      'of a Goal': async world => ({ title: 'Send the lease', goal_id: await goalInRoom(world) }),
      'that requests evidence': async world => ({
        title: 'Send the lease',
        room_id: await freshRoom(world),
        kind: 'evidence_request',
      }),
    },
  },
  get_task: { input: async world => ({ task_id: (await freshTask(world)).task_id }) },
  list_tasks: { input: () => ({}) },
  update_task: {
    input: async world => ({ ...(await freshRevision(world)), title: 'Send the new lease' }),
    others: {
      'to be assigned': async world => ({
        ...(await freshRevision(world)),
        business_id: world.published_id,
        goal_id: await addGoal(world.service, world, world.people.owner),
        assignee_user_id: world.people.member.user_id,
        status: 'in_progress',
      }),
      'without a change': async world => ({ ...(await freshRevision(world)), title: 'Send the lease' }),
    },
  },
  complete_task: {
    input: freshRevision,
    others: {
      'with evidence': async world => {
        const { task_id, file_id } = await taskWithFile(world)
        return { task_id, expected_revision: 1, evidence_file_ids: [file_id], note: 'It is the lease.' }
      },
    },
  },
  cancel_task: { input: freshRevision, roundTrips: 2 },
  reopen_task: {
    input: async world => {
      const { task_id } = await freshTask(world)
      await world.service.sql(
        `update tasks set status = 'canceled', canceled_at = now(), terminal_reason = 'Sold' where id = $1`,
        [task_id],
      )
      return { task_id, expected_revision: 1, note: 'It was not sold.' }
    },
    roundTrips: 2,
  },
} satisfies Samples

const goalInRoom = async (world: World) =>
  addGoal(
    world.service,
    { workspace_id: world.workspace_id, room_id: await freshRoom(world) },
    world.people.owner,
  )
