import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { Client } from '@wbs/sdk'
import type { Transaction } from '../../src/database/connections/writer.ts'
import { lockRoom } from '../../src/rooms/room-lock-store.ts'
import { createMailbox, type Mailbox } from '../harness/invitations.ts'
import { enterRoom } from '../harness/rooms.ts'
import {
  startTestService,
  type Person,
  type TestService,
  type TestServiceOptions,
} from '../harness/service.ts'

/** A Workspace with a member of each role, and people outside it who can be invited to its Rooms. */
export interface RoomWorld {
  service: TestService
  mailbox: Mailbox
  workspace_id: string
  people: Record<'owner' | 'admin' | 'member' | 'viewer' | 'guest' | 'rival', Person>
  /** A person's client in the Workspace. */
  as(person: Person): Client
  /** A Room that the member created. */
  room(title?: string): Promise<string>
  /** Adds a participant to a Room, as an accepted invitation does. */
  invite(room_id: string, person: Person, access_level: AccessLevel): Promise<string>
  /** Invites an address as the member, and returns the invitation with the token of its mail. */
  mailed(room_id: string, email?: string, access_level?: AccessLevel): Promise<MailedInvitation>
  /** A person with this address, verified by the issuer. */
  holder(email: string, name?: string): Person
  /** The types of the events of a Room, in order. */
  eventsOf(room_id: string): Promise<string[]>
  close(): Promise<void>
}

export interface MailedInvitation {
  room_id: string
  participant_id: string
  email: string
  token: string
}

/** Holds the locks of a change of a Room by the member while something else runs. */
export const whileOpen = <T>(
  { service, workspace_id, people }: RoomWorld,
  room_id: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  const { user_id } = people.member
  return service.database.writers.transaction({ workspace_id, user_id }, async tx => {
    const viewer = { workspace_id, user_id, is_member: true, reads_businesses: true, reads_lists: true }
    assert.ok(await lockRoom(tx, viewer, room_id, ''))
    return work(tx)
  })
}

export const someAddress = () => `${randomUUID().slice(0, 13)}@example.com`

export async function makeRoomWorld(options: TestServiceOptions = {}): Promise<RoomWorld> {
  const mailbox = createMailbox()
  const service = await startTestService({ mailer: mailbox.mailer, ...options })
  const people = Object.fromEntries(
    ['owner', 'admin', 'member', 'viewer', 'guest', 'rival'].map(name => [name, service.person(name)]),
  ) as RoomWorld['people']
  const { owner, admin, member, viewer } = people
  const workspace_id = await service.workspace('Harbor Street Partners', owner, { admin, member, viewer })
  for (const person of [people.guest, people.rival])
    await person.client.createWorkspace({ name: 'Their own' })
  const as = (person: Person) => service.client({ access_token: person.token, workspace_id })
  return {
    service,
    mailbox,
    workspace_id,
    people,
    as,
    room: async (title = 'Sale of Glacier') => (await as(member).createRoom({ title })).room.room_id,
    invite: (room_id, person, access_level) =>
      enterRoom(service, { workspace_id, room_id }, person, access_level),
    async mailed(room_id, email = someAddress(), access_level = 'view') {
      const before = mailbox.messages.filter(message => message.to === email).length
      const { participant } = await as(member).inviteParticipant({ room_id, email, access_level })
      const token = await mailbox.token(email, before + 1)
      return { room_id, participant_id: participant.participant_id, email, token }
    },
    holder: (email, name = 'Zoe') => ({ ...service.person(name, { email, email_verified: true }), email }),
    async eventsOf(room_id) {
      const rows = await service.sql<{ type: string }>(
        'select type from events where workspace_id = $1 and room_id = $2 order by position',
        [workspace_id, room_id],
      )
      return rows.map(row => row.type)
    },
    close: () => service.close(),
  }
}
