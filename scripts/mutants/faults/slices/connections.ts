import type { Mutant } from '../../mutant.ts'

export const connectionsFaults: readonly Mutant[] = [
  {
    name: 'A person decides who does not share the connection any more.',
    file: 'packages/server/src/connections/approvals/approval.ts',
    text: '(sharing_lasts && asked_of_user_id === user_id)',
    replacement: 'asked_of_user_id === user_id',
    caughtBy: ['packages/server/test/connections/approvals/approval.test.ts'],
  },
  {
    name: 'An API key cancels the request of another key.',
    file: 'packages/server/src/connections/approvals/approval.ts',
    text: 'key_id === requester_key_id && requested_by === user_id',
    replacement: 'requested_by === user_id',
    caughtBy: ['packages/server/test/connections/approvals/approval.test.ts'],
  },
  {
    name: 'A request may wait for 31 days.',
    file: 'packages/server/src/connections/approvals/approval.ts',
    text: 'most: 30 * day',
    replacement: 'most: 31 * day',
    caughtBy: [
      'packages/server/test/connections/approvals/approval.test.ts',
      'packages/server/test/connections/approvals/request-action.test.ts',
    ],
  },
  {
    name: 'A summary turns the direction of its text.',
    file: 'packages/server/src/connections/approvals/approval.ts',
    text: `.replaceAll(/\\p{Bidi_Control}/gu, '')`,
    replacement: '',
    caughtBy: ['packages/server/test/connections/approvals/approval.test.ts'],
  },
  {
    name: 'An action whose sender is gone is sent again.',
    file: 'packages/server/src/connections/execution/execution.ts',
    text: 'if (state.sent_seconds !== null)',
    replacement: 'if (state.sent_seconds !== null && state.sent_seconds < lostAfter)',
    caughtBy: ['packages/server/test/connections/execution/execution.test.ts'],
  },
  {
    name: 'An action is sent although the process was halted meanwhile.',
    file: 'packages/server/src/connections/execution/execute-approval.ts',
    text: 'elapsed() - judged_at > mostDelay',
    replacement: 'judged_at > elapsed()',
    caughtBy: ['packages/server/test/connections/execution/execute-approval.test.ts'],
  },
  {
    name: 'An action is sent for somebody whose API key was revoked.',
    file: 'packages/server/src/connections/approvals/approval-authority-store.ts',
    text: 'and used.revoked_at is null',
    replacement: '',
    caughtBy: ['packages/server/test/connections/execution/lost-authority.test.ts'],
  },
  {
    name: 'Anybody in the Room may stop a connection.',
    file: 'packages/server/src/connections/connection.ts',
    text: "shared_by === user_id || includes(level, 'full_access')",
    replacement: "shared_by === user_id || includes(level, 'view')",
    caughtBy: ['packages/server/test/connections/sharing/control-connection.test.ts'],
  },
]
