import type { Samples } from '../../operations/sample.ts'
import { fullUpload } from '../uploads/samples.ts'

export const samples = {
  retry_file_version: {
    input: async world => {
      const { file, new_version } = await world.us.completeUpload({ upload_id: await fullUpload(world) })
      const { file_version_id } = new_version
      await world.service.sql(
        `update file_versions set processing_status = 'failed', processing_error = 'internal_error' where id = $1`,
        [file_version_id],
      )
      // The examples of the reference expect the first revision.
      await world.service.sql('update files set revision = 1 where id = $1', [file.file_id])
      return { file_id: file.file_id, file_version_id, expected_revision: 1 }
    },
  },
} satisfies Samples
