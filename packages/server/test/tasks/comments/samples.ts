import type { Samples } from '../../operations/sample.ts'
import { freshTask, taskWithFile } from '../fresh-task.ts'

export const samples = {
  list_task_comments: { input: async world => ({ task_id: (await freshTask(world)).task_id }) },
  create_task_comment: {
    input: async world => ({ task_id: (await freshTask(world)).task_id, text: 'Is it assignable?' }),
    others: {
      'with a File': async world => {
        const { task_id, file_id } = await taskWithFile(world)
        return { task_id, text: 'Is it this one?', file_ids: [file_id] }
      },
    },
    // A list shows comments.
    readBack: false,
  },
} satisfies Samples
