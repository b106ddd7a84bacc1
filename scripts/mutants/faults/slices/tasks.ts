import type { Mutant } from '../../mutant.ts'

export const tasksFaults: readonly Mutant[] = [
  {
    name: 'A change of a Task takes the scope of a reader.',
    file: 'packages/contract/src/tasks/tasks.ts',
    text: 'const taskMutation = { ...taskWriting,',
    replacement: "const taskMutation = { ...taskWriting, scope: 'tasks:read',",
    caughtBy: [
      'packages/server/test/tasks/update-task.test.ts',
      'packages/server/test/tasks/complete-task.test.ts',
      'packages/server/test/operations/every-operation/goals-tasks-and-connections.test.ts',
    ],
  },
  {
    name: 'An assignee may change everything of a Task.',
    file: 'packages/server/src/tasks/task.ts',
    text: "task.assignee_user_id === user_id ? 'progress'",
    replacement: "task.assignee_user_id === user_id ? 'everything'",
    caughtBy: ['packages/server/test/tasks/task.test.ts'],
  },
  {
    name: 'An evidence request may do without evidence.',
    file: 'packages/server/src/tasks/task.ts',
    text: 'requires_evidence === false ? undefined : true',
    replacement: 'requires_evidence ?? true',
    caughtBy: ['packages/server/test/tasks/task.test.ts', 'packages/server/test/tasks/create-task.test.ts'],
  },
  {
    name: 'A Task is completed without the evidence that it requires.',
    file: 'packages/server/src/tasks/complete-task.ts',
    text: 'await requireEvidence(context, task, files)',
    replacement: '',
    caughtBy: ['packages/server/test/tasks/complete-task.test.ts'],
  },
  {
    name: 'Nobody learns that a Task has another assignee.',
    file: 'packages/server/src/tasks/update-task.ts',
    text: "...(assignee ? [taskEvent('task.assigned', task, assignee)] : []),",
    replacement: '',
    caughtBy: ['packages/server/test/tasks/update-task.test.ts'],
  },
  {
    name: 'An assignee gets no mail.',
    file: 'packages/server/src/tasks/update-task.ts',
    text: 'assigned.value === null ? [] : assignmentJobs(saved, caller)',
    replacement: '[]',
    caughtBy: [
      'packages/server/test/tasks/mail/task-mail.test.ts',
      'packages/server/test/tasks/update-task.test.ts',
    ],
  },
]
