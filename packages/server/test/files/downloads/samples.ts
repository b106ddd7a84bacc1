import type { Samples } from '../../operations/sample.ts'
import { fileForAll } from '../fresh-file.ts'

export const samples = {
  download_file: { input: async world => ({ file_id: await fileForAll(world) }) },
  create_download_link: {
    input: async world => ({ file_id: await fileForAll(world) }),
    readBack: false,
  },
} satisfies Samples
