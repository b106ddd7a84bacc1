/** Why a backup or a restore did not take place: something about its file or its database that whoever runs it can mend. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
