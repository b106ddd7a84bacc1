// The floor's statements, written by hand for one kind of reader each. They share no SQL with the service, and they take for
// granted what the service has to find out: what kind of reader asks. $1 is the Workspace, $2 the reader, $3 the id to start after.

const goal = `t.id, t.room_id, t.business_id, t.title, t.description, t.status, t.accountable_user_id, t.due_at, t.metric,
  t.terminal_reason, t.completed_at, t.canceled_at, t.created_by, t.revision, t.created_at, t.updated_at`
const task = `t.id, t.room_id, t.business_id, t.goal_id, t.title, t.description, t.section, t.kind, t.status, t.priority,
  t.assignee_user_id, t.requires_evidence, t.due_at, t.terminal_reason, t.completed_at, t.canceled_at, t.created_by, t.revision,
  t.created_at, t.updated_at, (
    select jsonb_agg(jsonb_build_object('file_id', e.file_id, 'added_by', e.added_by, 'added_at', e.added_at))
    from task_evidence e where e.workspace_id = t.workspace_id and e.task_id = t.id) as evidence`

const takesPart = `exists (select from room_participants part
  where part.workspace_id = $1 and part.room_id = t.room_id and part.user_id = $2 and part.status = 'active')`

/** The next rows of the Rooms in which the reader participates. */
const ofOwnRooms = (table: string) => `select one.* from room_participants part cross join lateral (
    select t.* from ${table} t where t.workspace_id = $1 and t.room_id = part.room_id and t.id > $3 order by t.id limit 21) one
  where part.workspace_id = $1 and part.user_id = $2 and part.status = 'active'`

const withoutRoom = (table: string) =>
  `(select t.* from ${table} t where t.workspace_id = $1 and t.room_id is null and t.id > $3 order by t.id limit 21)`

const pageOf = (columns: string, rows: string) => `select ${columns} from (${rows}) t order by t.id limit 21`

/** For those who can see nearly everything: in the order of ids. */
const dense = (columns: string, table: string, condition: string) =>
  `select ${columns} from ${table} t where t.workspace_id = $1 and t.id > $3 and ${condition} order by t.id limit 21`

const openRoom = `$2::uuid is not null and exists (select from rooms r
  where r.workspace_id = $1 and r.id = t.room_id and r.general_access = 'workspace')`

const statementsOf = (noun: 'goals' | 'tasks', columns: string, responsible: string) => ({
  [`${noun}_of_participant_in_all`]: dense(columns, noun, `(t.room_id is null or ${takesPart})`),
  [`${noun}_of_open_rooms`]: dense(columns, noun, `(t.room_id is null or ${openRoom})`),
  [`${noun}_of_member`]: pageOf(columns, `${ofOwnRooms(noun)} union all ${withoutRoom(noun)}`),
  [`${noun}_of_guest`]: pageOf(columns, ofOwnRooms(noun)),
  [`${noun}_of_room`]: dense(columns, noun, `t.room_id = $4 and ${takesPart}`),
  [`${noun}_mine`]: dense(columns, noun, `t.${responsible} = $2 and (t.room_id is null or ${takesPart})`),
  [`${noun}_mine_as_guest`]: dense(columns, noun, `t.${responsible} = $2 and ${takesPart}`),
})

export const floorStatements = {
  ...statementsOf('goals', goal, 'accountable_user_id'),
  ...statementsOf('tasks', task, 'assignee_user_id'),
  tasks_mine_open: dense(
    task,
    'tasks',
    `t.assignee_user_id = $2 and t.status = 'open' and (t.room_id is null or ${takesPart})`,
  ),
  tasks_mine_overdue: dense(
    task,
    'tasks',
    `t.assignee_user_id = $2 and t.status in ('open', 'in_progress', 'blocked') and t.due_at < now() and (t.room_id is null or ${takesPart})`,
  ),
}
