/** The progress of a backup or a restore, in rows of the phase. */
export interface BackupProgress {
  phase: 'reading' | 'checking' | 'loading' | 'comparing' | 'finishing'
  rows: number
}
