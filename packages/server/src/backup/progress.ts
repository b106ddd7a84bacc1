/** How far a backup or a restore is, in rows of the phase. */
export interface BackupProgress {
  phase: 'reading' | 'checking' | 'loading' | 'comparing' | 'finishing'
  rows: number
}
