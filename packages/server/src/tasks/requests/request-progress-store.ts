import { taskKinds, taskStatuses, unfinishedStatuses } from '@wbs/contract/tasks/task-schema'
import { jsonTimeSql } from '../../database/database-time.ts'
import { read, type Reader } from '../../database/statement.ts'
import { isKnownPersonSql, masksGuestsSql } from '../../rooms/visibility/masked-people-store.ts'
import { levelRowSql, asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { roomByIdSql } from '../../rooms/visibility/visible-rooms-store.ts'
import { placedTasks } from '../task-visibility-store.ts'

interface Part {
  total: number
  finished: number
}

/** How far the Tasks of a Room are. */
export interface ProgressRow {
  total: number
  overdue: number
  by_status: Record<(typeof taskStatuses)[number], number>
  by_kind: Record<(typeof taskKinds)[number], number>
  by_section: (Part & { section: string | null })[]
  by_assignee: (Part & { assignee_user_id: string | null; name: string | null })[]
  as_of: string
}

/** The progress of the Tasks of a Room that the viewer can see. Undefined if they cannot see the Room. */
export const requestProgress = (
  reader: Reader,
  viewer: Viewer,
  room_id: string,
): Promise<ProgressRow | undefined> => reader.one(progressOfRoom, { ...asViewer(viewer), room_id })

/** The most sections, and the most assignees, of an answer. */
const mostParts = 200

const list = (values: readonly string[]) => values.map(value => `'${value}'`).join(', ')

const countsSql = (column: string, values: readonly string[]) =>
  `jsonb_build_object(${values.map(value => `'${value}', count(*) filter (where ${column} = '${value}')`).join(', ')})`

const partSql = `count(*) as total, count(*) filter (where status not in (${list(unfinishedStatuses)})) as finished`

// The people are looked up once each, not once for each of their Tasks.
const progressOfRoom = read<ProgressRow>(
  'request_progress',
  `with room as materialized (
     select r.id, :is_member::boolean or not ${masksGuestsSql('r', 'seen.access_level')} as shows_all
     from ${roomByIdSql(':room_id', 'r')} cross join lateral ${levelRowSql('r')} as seen (access_level)
     where seen.access_level is not null
   ), task as materialized (
     select t.id, t.status, t.kind, t.section, t.due_at, ${[...placedTasks.people, placedTasks.writers].map(column => `t.${column}`).join(', ')}
     from room join tasks t on t.workspace_id = :workspace_id and t.room_id = room.id
   ), hidden as materialized (
     select person.id from (
       ${[...placedTasks.people, `unnest(${placedTasks.writers})`].map(people => `select ${people} as id from task where not (select shows_all from room)`).join(' union ')}
     ) person where not ${isKnownPersonSql('person.id', ':viewer_id::uuid')}
   ), shown as materialized (
     select * from task where (select shows_all from room)
       or ${placedTasks.people.map(column => `(${column} is null or ${column} not in (select id from hidden))`).join(' and ')}
       and not exists (select from hidden where hidden.id = any (${placedTasks.writers}))
   )
   select counts.total::integer, counts.overdue::integer, counts.by_status, counts.by_kind,
     coalesce(sections.list, '[]') as by_section, coalesce(assignees.list, '[]') as by_assignee,
     ${jsonTimeSql('statement_timestamp()')} as as_of
   from room cross join (
     select count(*) as total,
       count(*) filter (where status in (${list(unfinishedStatuses)}) and due_at < statement_timestamp()) as overdue,
       ${countsSql('status', taskStatuses)} as by_status, ${countsSql('kind', taskKinds)} as by_kind
     from shown
   ) counts cross join (
     select jsonb_agg(jsonb_build_object('section', section, 'total', total, 'finished', finished)
         order by section is null, first) as list
     from (
       select section, ${partSql}, min(id) as first, row_number() over (order by section is not null, min(id)) as place
       from shown group by section
     ) one where place <= ${mostParts}
   ) sections cross join (
     select jsonb_agg(jsonb_build_object('assignee_user_id', one.assignee_user_id, 'name', u.name, 'total', one.total,
         'finished', one.finished) order by one.total desc, one.assignee_user_id) as list
     from (
       select assignee_user_id, ${partSql} from shown group by assignee_user_id
       order by count(*) desc, assignee_user_id limit ${mostParts}
     ) one left join users u on u.id = one.assignee_user_id
   ) assignees`,
  'long',
)
