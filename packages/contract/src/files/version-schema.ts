import { T } from '../json/type.ts'
import { component, dateTime, id, nullable, open, openSet } from '../schema.ts'
import { stateMachine } from '../state-machine.ts'

export const FileVersionId = id('fvr')

export const processingStatuses = ['pending_upload', 'processing', 'ready', 'failed'] as const

export const processingErrors = [
  'upload_expired',
  'upload_aborted',
  'size_mismatch',
  'checksum_mismatch',
  'type_mismatch',
  'unreadable',
  'malware_detected',
  'internal_error',
] as const

export type ProcessingStatus = (typeof processingStatuses)[number]

/**
 * `unstored` is a version with the status failed whose content was never stored completely, so that it cannot be processed
 * again. The versions of text Files, and those that were restored, begin as ready.
 */
export const fileVersionMachine = stateMachine(
  [...processingStatuses, 'unstored' as const],
  'pending_upload',
  {
    complete: { pending_upload: 'processing' },
    complete_with_other_content: { pending_upload: 'unstored' },
    abort: { pending_upload: 'unstored' },
    expire: { pending_upload: 'unstored' },
    process: { processing: 'ready' },
    fail: { processing: 'failed' },
    retry: { failed: 'processing' },
    read: { ready: 'ready' },
    restore: { ready: 'ready' },
  },
)
export type ProcessingError = (typeof processingErrors)[number]

/** A version of a File. Its content never changes. */
export const FileVersion = component(
  'FileVersion',
  open({
    file_version_id: FileVersionId,
    version_number: T.Integer(),
    content_type: T.String(),
    size_bytes: T.Integer({ description: 'The size of the content in bytes.' }),
    sha256: nullable(
      T.String({
        description:
          'The SHA-256 of the content, in hex. Null until the content is stored, if none was announced.',
      }),
    ),
    processing_status: openSet(processingStatuses),
    processing_error: nullable(openSet(processingErrors)),
    summary: nullable(T.String({ description: 'What the content is, in one line.' })),
    created_at: dateTime(),
    ready_at: nullable(dateTime()),
  }),
)
