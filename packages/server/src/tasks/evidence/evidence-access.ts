import type { Refuse } from '../../call/problem.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { viewerOf, type CallerInWorkspace } from '../../rooms/room-access.ts'
import type { TaskRow } from '../task-store.ts'
import { filesForTask, hasEvidence, type NamedFileRow } from './evidence-store.ts'

/** How many Files a Task can have as evidence. A page of Tasks looks up whether the viewer can open each of them. */
const mostEvidence = 100

/**
 * The Files that the caller names for a Task, in the order in which they are named. Throws forbidden unless the caller may read
 * Files, and validation_error for each that the Task cannot take. `field` is the field of the body that names them.
 */
export async function requireFilesForTask(
  context: CallerInWorkspace & { tx: Transaction; refuse: Refuse<'validation_error' | 'forbidden'> },
  task: TaskRow,
  { field, file_ids }: { field: string; file_ids: readonly string[] },
): Promise<NamedFileRow[]> {
  if (file_ids.length === 0) return []
  const { tx, standing, refuse } = context
  if (!standing.permissions.has('files:read'))
    throw refuse.forbidden('Naming Files requires the permission files:read.', {
      required_permission: 'files:read',
    })
  const found = await filesForTask(tx, viewerOf(context), task, file_ids)
  const files = file_ids.map(id => found.find(({ file_id }) => file_id === id))
  const detail =
    task.room_id === null
      ? 'This must be the ID of an active File with ready content that you can open.'
      : 'This must be the ID of an active File with ready content that is in the Room of the Task and that you can open.'
  const errors = files.flatMap((file, index) =>
    file ? [] : [{ in: 'body' as const, pointer: `/${field}/${index}`, code: 'conflict' as const, detail }],
  )
  if (errors.length > 0)
    throw refuse.validation_error(
      errors.length === 1 ? detail : `The request names ${errors.length} Files that the Task cannot take.`,
      { errors },
    )
  return files as NamedFileRow[]
}

/** Throws limit_reached if the Task would have more evidence than it can have. */
export function requireFewFiles(
  { evidence }: Pick<TaskRow, 'evidence'>,
  files: readonly NamedFileRow[],
  refuse: Refuse<'limit_reached'>,
): void {
  const ids = new Set([...evidence, ...files].map(({ file_id }) => file_id))
  if (ids.size > mostEvidence)
    throw refuse.limit_reached(`A Task can have at most ${mostEvidence} Files as evidence.`)
}

/** Throws evidence_required if the Task requires evidence, no File is given, and none that was added earlier counts. */
export async function requireEvidence(
  { tx, refuse }: { tx: Transaction; refuse: Refuse<'evidence_required'> },
  task: TaskRow,
  files: readonly NamedFileRow[],
): Promise<void> {
  if (!task.requires_evidence || files.length > 0 || (await hasEvidence(tx, task))) return
  const detail =
    task.room_id === null
      ? 'Name at least one active File with ready content that you can open.'
      : 'Name at least one active File with ready content that is in the Room of the Task.'
  throw refuse.evidence_required('The Task requires a File as evidence, and has none that counts.', {
    missing_evidence: [{ code: 'required', pointer: '/evidence_file_ids', detail, accepted: ['file'] }],
  })
}
