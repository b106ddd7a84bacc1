import type { Client } from '@wbs/sdk'
import { addFile } from '../files/file-fixture.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'

export type PersonName = keyof RoomWorld['people']
export type Task = Awaited<ReturnType<Client['getTask']>>['data']
type NewTask = Partial<Parameters<Client['createTask']>[0]>

/** A Workspace with Rooms and people, for Tasks. */
export interface TaskWorld extends Omit<RoomWorld, 'room'> {
  /** A Room that the member created. */
  room(): Promise<string>
  /** A person's client in the Workspace. */
  by(name: PersonName): Client
  id(name: PersonName): string
  /** A Room of the member in which the guest and the rival take part, and do not see each other. */
  maskedRoom(level?: 'view' | 'edit'): Promise<string>
  /** A Task that the member creates. */
  task(input?: NewTask): Promise<Task>
  /** A Task as somebody sees it now. */
  seen(by: PersonName, task: { task_id: Task['task_id'] }): Promise<Task>
  /** A ready File of the member in a Room. */
  fileIn(room_id: string, name?: string): Promise<string>
  /** The events of a Task, oldest first. */
  eventsOfTask(task_id: string): Promise<TaskEvent[]>
  /** The users who get mail that a Task was assigned to them. */
  mailJobs(task_id: string): Promise<string[]>
}

interface TaskEvent {
  type: string
  feed: string
  room_id: string | null
  about: { user_id: string; email: string | null; name: string | null } | null
  data: Record<string, unknown>
}

export async function makeTaskWorld(): Promise<TaskWorld> {
  const world = await makeRoomWorld()
  const { service, workspace_id, people } = world
  const by = (name: PersonName) => world.as(people[name])
  return {
    ...world,
    room: async () => (await by('member').createRoom({ title: 'Sale of Glacier' })).room.room_id,
    by,
    id: name => people[name].user_id,
    async maskedRoom(level = 'view') {
      const { room } = await by('member').createRoom({ title: 'Auction' })
      const { room_id } = room
      await by('member').updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
      await world.invite(room_id, people.guest, level)
      await world.invite(room_id, people.rival, level)
      return room_id
    },
    task: async (input = {}) => (await by('member').createTask({ title: 'Send the lease', ...input })).data,
    seen: async (name, { task_id }) => (await by(name).getTask({ task_id })).data,
    async fileIn(room_id, name = 'Lease.md') {
      const file_id = await addFile(service, workspace_id, people.member, { name })
      await by('member').attachRoomFile({ room_id, file_id })
      return file_id
    },
    eventsOfTask: task_id =>
      service.sql(
        `select type, feed, room_id, about, data from events
         where workspace_id = $1 and subject ->> 'id' = $2 order by position`,
        [workspace_id, task_id],
      ) as Promise<unknown> as Promise<TaskEvent[]>,
    async mailJobs(task_id) {
      const jobs = await service.sql<{ user_id: string }>(
        `select data ->> 'user_id' as user_id from svc_jobs.job
         where name = 'mail_task_assigned' and data ->> 'task_id' = $1 order by created_on`,
        [task_id],
      )
      return jobs.map(({ user_id }) => user_id)
    },
  }
}
