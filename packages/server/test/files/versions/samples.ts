import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { fileForAll } from '../fresh-file.ts'

async function versionOfFile(world: World) {
  const file_id = await fileForAll(world)
  const { file } = await world.us.getFile({ file_id })
  return { file_id, file_version_id: file.current_version.file_version_id }
}

export const samples = {
  list_file_versions: { input: async world => ({ file_id: await fileForAll(world) }) },
  get_file_version: { input: versionOfFile },
  restore_file_version: {
    input: async world => ({ ...(await versionOfFile(world)), expected_revision: 1 }),
    roundTrips: 2,
  },
} satisfies Samples
