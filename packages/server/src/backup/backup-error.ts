/** A backup or restore failed for a reason that the operator can fix, in its file or its database. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
