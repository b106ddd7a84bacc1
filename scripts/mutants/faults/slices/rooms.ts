import type { Mutant } from '../../mutant.ts'

export const roomsFaults: readonly Mutant[] = [
  {
    name: 'A guest with edit access sees the other guests of a masked Room.',
    file: 'packages/server/src/rooms/participants/participant.ts',
    text: `includes(room.access_level, 'full_access')

export const hasNotEnded`,
    replacement: `includes(room.access_level, 'edit')

export const hasNotEnded`,
    caughtBy: [
      'packages/server/test/rooms/participants/participant.test.ts',
      'packages/server/test/rooms/participants/list-participants.test.ts',
    ],
  },
  {
    name: 'The last manager of a Room may lower their own level.',
    file: 'packages/server/src/rooms/participants/participant.ts',
    text: "&& level !== 'full_access'",
    replacement: '&& level === null',
    caughtBy: [
      'packages/server/test/rooms/participants/participant.test.ts',
      'packages/server/test/rooms/participants/update-participant.test.ts',
    ],
  },
  {
    name: 'A guest opens every Room that is open to the Workspace.',
    file: 'packages/server/src/database/migrations/0036_who_sees_rooms.sql',
    text: 'when not is_member then null',
    replacement: 'when false then null',
    caughtBy: [
      'packages/server/test/rooms/list-rooms.test.ts',
      'packages/server/test/rooms/participants/former-members.test.ts',
      'packages/server/test/activity/visibility.test.ts',
    ],
  },
  {
    name: 'A participation lasts beyond its end.',
    file: 'packages/server/src/database/migrations/0036_who_sees_rooms.sql',
    text: 'or expires_at > statement_timestamp())',
    replacement: "or expires_at > 'epoch')",
    caughtBy: ['packages/server/test/rooms/participants/expire-participant.test.ts'],
  },
  {
    name: 'A removed member keeps their Rooms.',
    file: 'packages/server/src/database/migrations/0036_who_sees_rooms.sql',
    text: "m.id = membership and m.status = 'active'",
    replacement: "m.id = membership and m.status <> 'invited'",
    caughtBy: ['packages/server/test/rooms/participants/former-members.test.ts'],
  },
  {
    name: 'A change of a sub-room does not lock its parent.',
    file: 'packages/server/src/rooms/room-lock-store.ts',
    text: "pg_advisory_xact_lock_shared(lock_number('room', workspace_id, parent_id))",
    replacement: '1',
    caughtBy: ['packages/server/test/rooms/sub-room-locks.test.ts'],
  },
  {
    name: 'A sub-room may be open to the whole Workspace.',
    file: 'packages/server/src/rooms/room.ts',
    text: "room.parent_id !== null && general_access !== 'invited_only'",
    replacement: "room.parent_id !== null && general_access === 'business'",
    caughtBy: ['packages/server/test/rooms/room.test.ts'],
  },
  {
    name: 'Nobody learns that a participant has left.',
    file: 'packages/server/src/rooms/participants/leave-room.ts',
    text: "events: [participantEvent('participant.left', ended)],",
    replacement: 'events: [],',
    caughtBy: ['packages/server/test/rooms/participants/leave-room.test.ts'],
  },
  {
    name: 'A job that runs again tells the Rooms of a Business again.',
    file: 'packages/server/src/call/system-change.ts',
    text: 'if (done?.room_id)',
    replacement: "if (done?.room_id === '')",
    caughtBy: [
      'packages/server/test/rooms/businesses/notify-many-rooms.test.ts',
      'packages/server/test/rooms/businesses/notify-rooms-of-business-update.test.ts',
    ],
  },
  {
    name: 'A sub-room of an archived Room can be changed.',
    file: 'packages/server/src/rooms/room-access.ts',
    text: "if (room.parent_status === 'archived')",
    replacement: "if (room.parent_status === 'archived' && room.parent_status === undefined)",
    caughtBy: [
      'packages/server/test/rooms/archive-room.test.ts',
      'packages/server/test/rooms/sub-room-locks.test.ts',
      'packages/server/test/rooms/update-room.test.ts',
    ],
  },
]
