import { cutSql, type SizedRow } from '../../call/page.ts'
import type { Id } from '@wbs/contract/ids'
import { read, type Reader } from '../../database/statement.ts'
import { isKnownPersonSql } from '../../rooms/visibility/masked-people-store.ts'
import { isMaskedSql, placeLevelRowSql } from '../../rooms/visibility/place-visibility-store.ts'
import { asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { fileByIdSql, openableNameSql } from '../task-store.ts'
import { placedTasks } from '../task-visibility-store.ts'

/** A comment as a viewer of the Task sees it. */
export interface CommentRow {
  comment_id: string
  task_id: Id<'tsk'>
  text: string
  /** In the order in which they were named. The name is null if the viewer cannot open the File. */
  files: { file_id: Id<'fil'>; name: string | null }[]
  created_by: string
  /** The name of the author. */
  name: string | null
  created_at: string
}

export const mostComments = 10_000

/**
 * The comments on a Task that the viewer can see, oldest first, cut off where they are large. None of those by people whom the
 * Room hides from the viewer.
 */
export const commentsPage = (
  reader: Reader,
  viewer: Viewer,
  task_id: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<(CommentRow & SizedRow)[]> => reader.many(page, { ...asViewer(viewer), task_id, after, limit })

/** Whether a Task that the viewer can see has as many comments as it can have. */
export const hasMostComments = async (reader: Reader, viewer: Viewer, task_id: string): Promise<boolean> =>
  (await reader.one(lastComment, { ...asViewer(viewer), task_id })) !== undefined

/** The Task `:task_id` as the row `t`, if the viewer can see it. */
const visibleTaskSql = `tasks t
  cross join lateral ${placeLevelRowSql('t', placedTasks)} as seen (access_level)
  where t.workspace_id = :workspace_id and t.id = :task_id and seen.access_level is not null`

const page = read<CommentRow & SizedRow>(
  'task_comments_page',
  `select r.comment_id, r.task_id, r.text, r.files, r.created_by, r.name, r.created_at, r.found
   from (${cutSql(
     `select c.id as comment_id, c.task_id, c.text, coalesce((
          select jsonb_agg(jsonb_build_object('file_id', f.id, 'name', shown.name) order by named.at)
          from unnest(c.file_ids) with ordinality as named (id, at) cross join lateral ${fileByIdSql('named.id')}
          cross join lateral (select ${openableNameSql} as name offset 0) shown
          where shown.name is not null or not c.is_masked
        ), '[]') as files, c.created_by, u.name, c.created_at,
        octet_length(c.text) as bytes
      from (
        select c.*, t.is_masked
        from task_comments c, (select t.room_id, seen.access_level, ${isMaskedSql('t', 'seen.access_level')} as is_masked from ${visibleTaskSql}) t
        where c.workspace_id = :workspace_id and c.task_id = :task_id and (:after::uuid is null or c.id > :after)
          and (not t.is_masked or ${isKnownPersonSql('c.created_by', ':viewer_id::uuid')})
        order by c.id limit :limit
      ) c join users u on u.id = c.created_by`,
     'r.comment_id',
   )}) r order by r.comment_id`,
  'long',
)

const lastComment = read<object>(
  'task_comment_last_possible',
  `select from ${visibleTaskSql} and exists (
     select from task_comments c where c.workspace_id = :workspace_id and c.task_id = :task_id offset ${mostComments - 1})`,
)
