import type { Mutant } from '../../mutant.ts'

export const mailFaults: readonly Mutant[] = [
  {
    name: 'Mail programs turn addresses in names into links.',
    file: 'packages/server/src/mail/mail-line.ts',
    text: `.replaceAll(joints, '\\u200b')`,
    replacement: '',
    caughtBy: ['packages/server/test/mail/mail-line.test.ts'],
  },
  {
    name: 'What somebody wrote becomes HTML of a message.',
    file: 'packages/server/src/mail/compose-message.ts',
    text: `\`<p>\${escape(opening)}</p>\``,
    replacement: `\`<p>\${opening}</p>\``,
    caughtBy: [
      'packages/server/test/mail/invitation-message.test.ts',
      'packages/server/test/mail/notice-messages.test.ts',
    ],
  },
  {
    name: 'The password of the mail server is sent in clear text.',
    file: 'packages/server/src/mail/mail-settings.ts',
    text: 'requireTls: !secure && credentials !== null',
    replacement: 'requireTls: !secure && credentials === null',
    caughtBy: ['packages/server/test/mail/mail-settings.test.ts'],
  },
  {
    name: 'One sender fills the mailbox of a recipient.',
    file: 'packages/server/src/call/notices/mail-budget.ts',
    text: 'in_room < mostInRoom && ',
    replacement: '',
    caughtBy: ['packages/server/test/mail/flood.test.ts'],
  },
  {
    name: 'A job that runs again mails its notice again to the digest.',
    file: 'packages/server/src/call/notices/send-notice.ts',
    text: 'if (noted) return !noted.is_held',
    replacement: '',
    caughtBy: ['packages/server/test/mail/flood.test.ts'],
  },
]
