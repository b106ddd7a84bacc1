import type { VersionOf } from './options.ts'

/** The service did not accept the content. `processing_error` says why, and `version` is the failed version. */
export class UploadFailed extends Error {
  readonly processing_error: string
  readonly file_id: string
  readonly version: VersionOf

  constructor(name: string, file_id: string, version: VersionOf, processing_error: string) {
    super(`The upload of ${name} failed: ${sentences[processing_error] ?? processing_error}.`)
    this.name = 'UploadFailed'
    this.processing_error = processing_error
    this.file_id = file_id
    this.version = version
  }
}

const sentences: Readonly<Record<string, string>> = {
  upload_expired: 'the upload expired before it was complete',
  upload_aborted: 'the upload was aborted',
  size_mismatch: 'the stored content has another size than the one announced',
  checksum_mismatch: 'the stored content is not the content that was sent',
  type_mismatch: 'the content is not of the type that was announced',
  unreadable: 'the content cannot be read as a file of its type',
  malware_detected: 'malware was found in the content',
  internal_error: 'the service could not process the content',
}
