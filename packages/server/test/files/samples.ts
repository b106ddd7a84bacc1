import type { Samples } from '../operations/sample.ts'
import { fileForAll } from './fresh-file.ts'

/** They may edit the File; the operation requires full access. */
const onlyWhoOwnsTheFile = { member: 403, admin: 403 }

export const samples = {
  get_file: { input: async world => ({ file_id: await fileForAll(world) }) },
  list_files: { input: () => ({}) },
  update_file: {
    input: async world => ({
      file_id: await fileForAll(world),
      expected_revision: 1,
      name: 'Questions about the lease.md',
    }),
    roundTrips: 2,
  },
  archive_file: {
    input: async world => ({ file_id: await fileForAll(world), expected_revision: 1 }),
    answers: onlyWhoOwnsTheFile,
    roundTrips: 2,
  },
  restore_file: {
    input: async world => {
      const file_id = await fileForAll(world)
      await world.service.sql(`update files set lifecycle = 'archived', archived_at = now() where id = $1`, [
        file_id,
      ])
      return { file_id, expected_revision: 1 }
    },
    answers: onlyWhoOwnsTheFile,
    roundTrips: 2,
  },
} satisfies Samples
