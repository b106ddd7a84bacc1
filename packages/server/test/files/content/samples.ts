import type { Samples } from '../../operations/sample.ts'
import { fileForAll } from '../fresh-file.ts'

export const samples = {
  read_file_content: { input: async world => ({ file_id: await fileForAll(world) }) },
  get_file_text: { input: async world => ({ file_id: await fileForAll(world) }) },
} satisfies Samples
