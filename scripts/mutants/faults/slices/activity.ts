import type { Mutant } from '../../mutant.ts'

export const activityFaults: readonly Mutant[] = [
  {
    name: 'Every event of a person counts as that of the caller.',
    file: 'packages/server/src/activity/event-view.ts',
    text: 'mine: event.actor.user_id === caller.user_id',
    replacement: 'mine: event.actor.user_id !== null',
    caughtBy: ['packages/server/test/activity/list-events.test.ts'],
  },
  {
    name: 'Whoever follows a Room learns of its restricted Files.',
    file: 'packages/server/src/activity/feed/follower.ts',
    text: '?.has(user_id) ?? true',
    replacement: '?.has(user_id) !== undefined',
    caughtBy: [
      'packages/server/test/activity/restricted-files.test.ts',
      'packages/server/test/activity/stream-events.test.ts',
    ],
  },
  {
    name: 'A follower of a group of types misses its events.',
    file: 'packages/server/src/activity/feed/follower.ts',
    text: `types.includes(\`\${type.split('.', 1)[0]}.*\`)`,
    replacement: 'false',
    caughtBy: [
      'packages/server/test/activity/feed/woken-requests.test.ts',
      'packages/server/test/activity/list-event-changes.test.ts',
      'packages/server/test/activity/stream-events.test.ts',
    ],
  },
  {
    name: 'A guest learns of a pending invitation in a masked Room.',
    file: 'packages/server/src/activity/event-visibility-store.ts',
    text: 'p.user_id is not null and',
    replacement: '',
    caughtBy: ['packages/server/test/activity/feed/hidden-guests.test.ts'],
  },
  {
    name: 'A long poll that is full loses the rest of its events.',
    file: 'packages/server/src/activity/list-event-changes.ts',
    text: 'has_more ? shown.at(-1)?.position : follower.cursor',
    replacement: 'follower.cursor',
    caughtBy: ['packages/server/test/activity/list-event-changes.test.ts'],
  },
  {
    name: 'A Task of other guests shows in the feed of a masked Room.',
    file: 'packages/server/src/activity/event-visibility-store.ts',
    text: `and \${isAboutKnownPeopleSql('task', placedTasks, viewer_id)}`,
    replacement: '',
    caughtBy: ['packages/server/test/tasks/task-visibility.test.ts'],
  },
]
