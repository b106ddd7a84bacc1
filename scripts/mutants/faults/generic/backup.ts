import type { Mutant } from '../../mutant.ts'

export const backupFaults: readonly Mutant[] = [
  {
    name: 'A backup leaves out the receipts.',
    file: 'packages/server/src/backup/tables.ts',
    text: "'svc.migration_files': 'the same',",
    replacement: `'svc.migration_files': 'the same',
  'svc.receipts': 'the same',`,
    caughtBy: ['packages/server/test/backup/restore.test.ts'],
  },
  {
    name: 'A backup of a database with another migration is restored.',
    file: 'packages/server/src/backup/compatibility.ts',
    text: 'if (known.sha256 !== sha256)',
    replacement: "if (known.sha256 === '')",
    caughtBy: ['packages/server/test/backup/refusals.test.ts'],
  },
]
