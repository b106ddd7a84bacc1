import type { Id } from '@wbs/contract/ids'
import { read, readUnscoped, type Reader } from '../database/statement.ts'
import { placedGoals } from '../goals/goal-visibility-store.ts'
import { masksGuestsSql } from '../rooms/visibility/masked-people-store.ts'
import { knowsAllSql, placeLevelSql } from '../rooms/visibility/place-visibility-store.ts'
import { levelInSql, asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'

/** The place of a Goal; null for the Workspace. */
export interface GoalPlace {
  room_id: Id<'rom'> | null
}

/** A Goal that the viewer can see, as a Task names it. */
export const goalOfTask = (reader: Reader, viewer: Viewer, goal_id: string): Promise<GoalPlace | undefined> =>
  reader.one(visibleGoal, { ...asViewer(viewer), goal_id })

/** A user, as an event names them. */
export interface Person {
  user_id: string
  name: string | null
}

export const personById = (reader: Reader, user_id: string): Promise<Person | undefined> =>
  reader.one(person, { user_id })

/** Whether the Room lets the viewer, who can open it, see these users. */
export const seesPeople = async (
  reader: Reader,
  viewer: Viewer,
  room_id: string,
  people: readonly string[],
): Promise<boolean> => (await reader.one(knownPeople, { ...asViewer(viewer), room_id, people })) !== undefined

const knownPeople = read<object>(
  'task_people_known',
  `select from rooms r
   where r.workspace_id = :workspace_id and r.id = :room_id
     and (:is_member::boolean or not ${masksGuestsSql('r', levelInSql('r'))} or ${knowsAllSql(':people::uuid[]')})`,
)

const visibleGoal = read<GoalPlace>(
  'task_goal_visible',
  `select t.room_id from goals t
   where t.workspace_id = :workspace_id and t.id = :goal_id and ${placeLevelSql('t', placedGoals)} is not null`,
)

const person = readUnscoped<Person>(
  'task_person',
  'select u.id as user_id, u.name from users u where u.id = :user_id',
)
