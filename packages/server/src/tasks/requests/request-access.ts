import type { InputError } from '@wbs/contract/problems'
import type { Scope } from '@wbs/contract/scopes'
import type { Refuse } from '../../call/problem.ts'
import { mostBytes, mostErrors, type RequestList, type RequestRow } from './read-request-list.ts'
import type { RequestFile } from './request-file-store.ts'

/** Throws forbidden unless the caller may read Files. */
export function requireFilesRead(
  { permissions }: { permissions: ReadonlySet<Scope> },
  refuse: Refuse<'forbidden'>,
): void {
  if (!permissions.has('files:read'))
    throw refuse.forbidden('This requires the permission files:read.', { required_permission: 'files:read' })
}

/** The File of the Room that the caller named. Throws not_found. */
export function requireFileOfRoom(file: RequestFile | undefined, refuse: Refuse<'not_found'>): RequestFile {
  if (!file) throw refuse.not_found('The Room has no such File, or you cannot open it.')
  return file
}

/** Why a ready File cannot be a request list, as far as its type and size tell. Null if it can. */
export function faultOfFile({ content_type, size_bytes }: RequestFile): string | null {
  if (!/^text\/csv(?:;|$)/i.test(content_type)) return 'The File is not of the type text/csv.'
  return size_bytes > mostBytes ? 'The File has more than 1 MiB.' : null
}

/**
 * The rows of a File that the caller can open. Throws state_conflict if it is not ready, unprocessable_content if it is no
 * list, validation_error if rows of it are not valid, and unavailable if it could not be opened when it was to be read.
 */
export function requireRows(
  file: RequestFile,
  list: RequestList | null,
  refuse: Refuse<'state_conflict' | 'unprocessable_content' | 'validation_error' | 'unavailable'>,
): RequestRow[] {
  const { processing_status } = file
  if (processing_status !== 'ready')
    throw refuse.state_conflict('The content of the File cannot be read, because it is not ready.', {
      current_status: processing_status,
    })
  const fault = faultOfFile(file) ?? (list && 'fault' in list ? list.fault : null)
  if (fault !== null) throw refuse.unprocessable_content(fault)
  if (!list || 'fault' in list)
    throw refuse.unavailable('The File or your access to it has just changed. Send the request again.')
  if ('errors' in list) throw refusedErrors(list.errors, refuse)
  return list.rows
}

/** The refusal of a list for its errors, of which it names the first hundred. */
export const refusedErrors = (errors: InputError[], refuse: Refuse<'validation_error'>): Error =>
  refuse.validation_error(
    errors.length === 1 && errors[0]
      ? errors[0].detail
      : `The list has ${errors.length} errors. No Task was created.`,
    { errors: errors.slice(0, mostErrors) },
  )
