import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { EvidenceRow, OpenedTask } from '../task-store.ts'
import type { NamedFileRow } from './evidence-store.ts'

/**
 * Adds Files to the evidence of a Task. One that the viewer knows it to have stays as it was added; one that only a user added
 * whom the Room hides from the viewer is added again.
 */
export function addEvidence(
  tx: Transaction,
  task: OpenedTask,
  files: readonly NamedFileRow[],
  user_id: string,
  now: Date,
): EvidenceRow[] {
  const earlier = new Set(task.evidence.map(({ file_id }) => file_id))
  const added = files.filter(({ file_id }) => !earlier.has(file_id))
  if (added.length === 0) return task.evidence
  tx.save(evidenceInsert, {
    workspace_id: task.workspace_id,
    task_id: task.task_id,
    file_ids: added.map(({ file_id }) => file_id),
    added_by: user_id,
    now,
  })
  const added_at = now.toISOString()
  const inOrder = added.toSorted((a, b) => (a.file_id < b.file_id ? -1 : 1))
  return [...task.evidence, ...inOrder.map(file => ({ ...file, added_by: user_id, added_at }))]
}

const evidenceInsert = write(
  'task_evidence_insert',
  `insert into task_evidence (workspace_id, task_id, file_id, added_by, added_at)
   select :workspace_id, :task_id, named.id, :added_by, :now from unnest(:file_ids::text[]) as named (id)`,
)
