import type { Mutant } from '../../mutant.ts'

export const blobsFaults: readonly Mutant[] = [
  {
    name: 'A part that is too short is stored.',
    file: 'packages/server/src/blobs/filesystem/write-part.ts',
    text: 'if (written.size_bytes !== part.size_bytes)',
    replacement: 'if (written.size_bytes > part.size_bytes)',
    caughtBy: ['packages/server/test/blobs/filesystem.test.ts'],
  },
  {
    name: 'Of a part that was sent twice, the older one counts.',
    file: 'packages/server/src/blobs/filesystem/part-files.ts',
    text: 'file.order > other.order',
    replacement: 'file.order < other.order',
    caughtBy: ['packages/server/test/blobs/filesystem.test.ts'],
  },
  {
    name: 'Content is stored although it uses up the reserve of the disk.',
    file: 'packages/server/src/blobs/filesystem/free-space.ts',
    text: 'if (free - bytes < reserveBytes)',
    replacement: 'if (free < reserveBytes)',
    caughtBy: ['packages/server/test/blobs/free-space.test.ts'],
  },
]
