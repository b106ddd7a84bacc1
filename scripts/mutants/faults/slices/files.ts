import type { Mutant } from '../../mutant.ts'

export const filesFaults: readonly Mutant[] = [
  {
    name: 'A link to download works twice.',
    file: 'packages/server/src/files/downloads/open-link.ts',
    text: 'if (!isFirst) throw noLongerValid()',
    replacement: '',
    caughtBy: ['packages/server/test/files/downloads/download.test.ts'],
  },
  {
    name: 'The URL of a part is valid for every part.',
    file: 'packages/server/src/files/uploads/parts/part-token.ts',
    text: `    grant.part_number,
`,
    replacement: '',
    caughtBy: ['packages/server/test/files/uploads/parts/part-token.test.ts'],
  },
  {
    name: 'The last part of an upload may be as large as the others.',
    file: 'packages/server/src/files/uploads/upload.ts',
    text: 'part_number < part_count ?',
    replacement: 'part_number <= part_count ?',
    caughtBy: ['packages/server/test/files/uploads/upload-rules.test.ts'],
  },
  {
    name: 'An upload that nobody continues expires at the later of two times.',
    file: 'packages/server/src/files/uploads/upload.ts',
    text: 'new Date(Math.min(',
    replacement: 'new Date(Math.max(',
    caughtBy: ['packages/server/test/files/uploads/upload-rules.test.ts'],
  },
  {
    name: 'Content with another SHA-256 than announced is kept.',
    file: 'packages/server/src/files/uploads/complete-upload.ts',
    text: "sha256 !== null && sha256 !== content.sha256 ? 'checksum_mismatch' : null",
    replacement: 'null',
    caughtBy: [
      'packages/server/test/files/uploads/upload.test.ts',
      'packages/server/test/files/uploads/ending.test.ts',
    ],
  },
  {
    name: 'A permission on a File outlives the participation on which it was given.',
    file: 'packages/server/src/rooms/visibility/room-file-visibility-store.ts',
    text: `.status = 'active' and \${basisLastsSql(permission)}`,
    replacement: ".status = 'active'",
    caughtBy: [
      'packages/server/test/files/permissions/permissions.test.ts',
      'packages/server/test/files/integrity/refused-at-use.test.ts',
    ],
  },
  {
    name: 'An archived File in a Room is seen by everybody there.',
    file: 'packages/server/src/database/migrations/0036_who_sees_rooms.sql',
    text: "or open.access_level >= 'edit' then",
    replacement: "or open.access_level >= 'view' then",
    caughtBy: [
      'packages/server/test/files/room-files/change-room-file.test.ts',
      'packages/server/test/files/room-files/list-room-files.test.ts',
    ],
  },
  {
    name: 'Bytes that open uploads promise do not count.',
    file: 'packages/server/src/files/usage/storage-limit-store.ts',
    text: 'sum(u.stored_bytes + u.promised_bytes), 0) as bytes from storage_usage u',
    replacement: 'sum(u.stored_bytes), 0) as bytes from storage_usage u',
    caughtBy: ['packages/server/test/files/usage/storage.test.ts'],
  },
  {
    name: 'A page of a text begins within a character.',
    file: 'packages/server/src/files/content/text-page.ts',
    text: 'isContinuation(bytes[end])) end--',
    replacement: 'isContinuation(bytes[end - 1])) end--',
    caughtBy: ['packages/server/test/files/content/text-page.test.ts'],
  },
  {
    name: 'A participant who may not download does.',
    file: 'packages/server/src/files/file-visibility-store.ts',
    text: ' and not part.can_download',
    replacement: ' and part.can_download',
    caughtBy: [
      'packages/server/test/files/downloads/download.test.ts',
      'packages/server/test/files/files.test.ts',
    ],
  },
]
