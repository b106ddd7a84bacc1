import type { FileRow } from './file-store.ts'

/** A File for the answer to the viewer for whom the row was read. */
export function presentFile(row: FileRow) {
  const { workspace_id: _, business_id, ...file } = row
  return { ...file, ...(business_id !== null && { business_id }) }
}

/** A File as the subject of an event. */
export const fileAsSubject = ({ file_id, name }: Pick<FileRow, 'file_id' | 'name'>) => ({
  subject: { type: 'file', id: file_id, name },
})
