import type { Client } from '@wbs/sdk'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'

type Goal = Awaited<ReturnType<Client['getGoal']>>['data']
type NewGoal = Omit<Parameters<Client['createGoal']>[0], 'title'>

/** A Workspace with members and guests, in which tests make Goals. */
export interface GoalWorld extends RoomWorld {
  client(name: keyof RoomWorld['people']): Client
  /** The client of an API key of the owner with these scopes. */
  withKey(scopes: readonly Parameters<RoomWorld['service']['apiKey']>[2][number][]): Promise<Client>
  /** A Goal that the member created. */
  goal(about?: NewGoal): Promise<Goal>
  /** A Room of the member in which guest and rival do not see each other. */
  maskedRoom(): Promise<string>
  /** The events of a Goal, in order. */
  historyOf(
    goal_id: string,
  ): Promise<{ type: string; feed: string; room_id: string | null; data: Record<string, unknown> }[]>
}

export async function makeGoalWorld(): Promise<GoalWorld> {
  const world = await makeRoomWorld()
  const { service, workspace_id, people, as } = world
  return {
    ...world,
    client: name => as(people[name]),
    async withKey(scopes) {
      const { secret } = await service.apiKey(workspace_id, people.owner, scopes)
      return service.client({ api_key: secret, workspace_id })
    },
    goal: async (about = {}) =>
      (await as(people.member).createGoal({ title: 'Close in June', ...about })).data,
    async maskedRoom() {
      const room_id = await world.room()
      await as(people.member).updateRoom({
        room_id,
        expected_revision: 1,
        participant_visibility: 'managers',
      })
      for (const person of [people.guest, people.rival]) await world.invite(room_id, person, 'edit')
      return room_id
    },
    historyOf: goal_id =>
      service.sql(
        `select type, feed, room_id, data from events where workspace_id = $1 and subject ->> 'id' = $2 order by position`,
        [workspace_id, goal_id],
      ),
  }
}
