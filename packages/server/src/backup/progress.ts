/** The progress of a backup or a restore: rows of tables, or bytes of the content of Files. */
export type BackupProgress =
  | { phase: 'reading' | 'checking' | 'loading' | 'comparing' | 'finishing'; rows: number }
  | {
      phase: 'reading_content' | 'checking_content' | 'storing_content'
      bytes: number
      /** Null if it is not known. */
      total_bytes: number | null
    }
