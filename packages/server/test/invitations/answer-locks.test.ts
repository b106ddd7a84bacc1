import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ProblemCode } from '@wbs/contract/problems'
import { scopes } from '@wbs/contract/scopes'
import { lockExclusive } from '../../src/database/locks.ts'
import { write } from '../../src/database/statement.ts'
import type { Transaction } from '../../src/database/connections/writer.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import type { Person } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { refused } from '../harness/refused.ts'
import {
  makeRoomWorld,
  someAddress,
  whileOpen,
  type MailedInvitation,
  type RoomWorld,
} from '../rooms/room-fixture.ts'

const removal = write(
  'test_sender_removal',
  `update memberships set status = 'removed' where workspace_id = :workspace_id and id = :membership_id`,
)
const expiry = write(
  'test_invitation_expiry',
  `update room_participants set status = 'expired', invited_until = now() where workspace_id = :workspace_id and id = :participant_id`,
)
const keyRevocation = write(
  'test_sender_key_revocation',
  'update api_keys set revoked_at = now() where workspace_id = :workspace_id and id = :key_id',
)

describe('concurrent changes of an invitation', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())

  const us = () => world.as(world.people.member)

  interface Sender {
    person: Person
    membership_id: string
    key_id: string
    secret: string
  }
  interface Sent {
    email: string
    token: string
  }
  type Kind = 'a team' | 'a Room'

  /** An admin, and their API key. */
  async function sender(): Promise<Sender> {
    const person = world.service.person('Adam')
    const membership_id = await world.service.join(world.workspace_id, person, 'admin')
    const key = await world.service.apiKey(world.workspace_id, person, scopes)
    return { person, membership_id, ...key }
  }

  async function sent({ person, secret }: Sender, kind: Kind, by: 'person' | 'key'): Promise<Sent> {
    const { service, workspace_id } = world
    const client = by === 'person' ? world.as(person) : service.client({ api_key: secret, workspace_id })
    const email = someAddress()
    if (kind === 'a team') await client.createTeamInvitation({ email, role: 'viewer' })
    else {
      const { room } = await world.as(person).createRoom({ title: 'Sale' })
      await client.inviteParticipant({ room_id: room.room_id, email, access_level: 'view' })
    }
    return { email, token: await world.mailbox.token(email) }
  }

  const answers = [
    ['accept', ({ email, token }: Sent) => world.holder(email).client.acceptInvitation({ token })],
    ['decline', ({ email, token }: Sent) => world.holder(email).client.declineInvitation({ token })],
  ] as const

  /** Begins a request during a transaction, and ends the transaction once the request waits for it. */
  async function whileItWaits<Answer>(
    hold: (tx: Transaction) => Promise<unknown>,
    ask: () => Promise<Answer>,
    end: (tx: Transaction) => Promise<unknown>,
  ): Promise<{ answer: Promise<Answer> }> {
    const { user_id } = world.people.owner
    const { workspace_id } = world
    return world.service.database.writers.transaction({ workspace_id, user_id }, async tx => {
      await hold(tx)
      const answer = ask()
      answer.catch(() => undefined)
      await eventually(async () => (await lockWaits(world.service)) === 1)
      await end(tx)
      return { answer }
    })
  }

  for (const kind of ['a team', 'a Room'] as const)
    for (const [name, answer] of answers) {
      it(`an attempt to ${name} an invitation into ${kind} waits for the removal of its sender, and is refused`, async () => {
        const { workspace_id } = world
        const from = await sender()
        const invitation = await sent(from, kind, 'person')
        const waited = await whileItWaits(
          tx => lockExclusive(tx, workspace_id, [['member', from.person.user_id]]),
          () => answer(invitation),
          tx => tx.run(removal, { workspace_id, membership_id: from.membership_id }),
        )
        await refused(waited.answer, 'not_found')
      })

      it(`an attempt to ${name} an invitation into ${kind} waits for the revocation of the key that sent it, and is refused`, async () => {
        const { workspace_id } = world
        const from = await sender()
        const invitation = await sent(from, kind, 'key')
        const waited = await whileItWaits(
          tx => lockExclusive(tx, workspace_id, [['api_key', from.key_id]]),
          () => answer(invitation),
          tx => tx.run(keyRevocation, { workspace_id, key_id: from.key_id }),
        )
        await refused(waited.answer, 'not_found')
      })
    }

  const ended: [string, (sent: MailedInvitation) => Promise<unknown>, ProblemCode][] = [
    ['accept', answers[0][1], 'gone'],
    ['decline', answers[1][1], 'gone'],
    [
      'resend',
      ({ room_id, participant_id }) => us().resendInvitation({ room_id, participant_id }),
      'state_conflict',
    ],
    [
      'revoke',
      ({ room_id, participant_id }) => us().revokeParticipant({ room_id, participant_id }),
      'state_conflict',
    ],
  ]
  for (const [name, ask, code] of ended)
    it(`an attempt to ${name} an invitation waits while its end is recorded, and is refused`, async () => {
      const invitation = await world.mailed(await world.room())
      const waited = await whileItWaits(
        tx => tx.run(expiry, { workspace_id: world.workspace_id, participant_id: invitation.participant_id }),
        () => ask(invitation),
        async () => undefined,
      )
      await refused(waited.answer, code)
    })

  it('inviting again waits while its end is recorded, and then creates a new one', async () => {
    const { room_id, participant_id, email } = await world.mailed(await world.room())
    const waited = await whileItWaits(
      tx => tx.run(expiry, { workspace_id: world.workspace_id, participant_id }),
      () => us().inviteParticipant({ room_id, email, access_level: 'view' }),
      async () => undefined,
    )
    const { participant } = await waited.answer
    assert.notEqual(participant.participant_id, participant_id)
    assert.equal(participant.status, 'pending')
  })

  it('an answer by somebody else is refused without waiting', async () => {
    const from = await sender()
    const { workspace_id } = world
    const { user_id } = world.people.owner
    const team = await sent(from, 'a team', 'person')
    const { room_id, token } = await world.mailed(await world.room())
    for (const [, answer] of answers) {
      await world.service.database.writers.transaction({ workspace_id, user_id }, async tx => {
        await lockExclusive(tx, workspace_id, [['team', '']])
        await refused(answer({ ...team, email: someAddress() }), 'forbidden')
      })
      await whileOpen(world, room_id, () => refused(answer({ token, email: someAddress() }), 'forbidden'))
    }
    assert.equal(await lockWaits(world.service), 0)
  })
})
