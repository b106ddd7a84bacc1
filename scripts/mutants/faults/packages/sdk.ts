import type { Mutant } from '../../mutant.ts'

export const sdkFaults: readonly Mutant[] = [
  {
    name: 'A call is attempted once more than it may be.',
    file: 'packages/sdk/src/exchange.ts',
    text: 'attempt.attempt >= attempts',
    replacement: 'attempt.attempt > attempts',
    caughtBy: ['packages/sdk/test/retries.test.ts'],
  },
  {
    name: 'An event is yielded again after a reconnection.',
    file: 'packages/sdk/src/events/follow.ts',
    text: 'if (yielded.has(event.id)) return',
    replacement: '',
    caughtBy: ['packages/sdk/test/events/follow.test.ts', 'packages/sdk/test/events/reconnections.test.ts'],
  },
  {
    name: 'A line of a stream that is cut between CR and LF ends a block.',
    file: 'packages/sdk/src/events/parse-stream.ts',
    text: `if (endedWithReturn && text.startsWith('\\n')) text = text.slice(1)`,
    replacement: '',
    caughtBy: ['packages/sdk/test/events/parse-stream.test.ts'],
  },
  {
    name: 'An empty page ends a list.',
    file: 'packages/sdk/src/pages.ts',
    text: 'if (has_more !== true) return',
    replacement: 'if (has_more !== true || all.length === 0) return',
    caughtBy: ['packages/sdk/test/lists.test.ts'],
  },
  {
    name: 'A redirect carries the token to another host.',
    file: 'packages/sdk/src/send.ts',
    text: "redirect: 'error',",
    replacement: '',
    caughtBy: ['packages/sdk/test/retries.test.ts'],
  },
]
