import { randomUUID } from 'node:crypto'
import type { Client } from '@wbs/sdk'
import type { StateWorld } from '../states/state-world.ts'
import type { Other } from './creation-rules.ts'
import type { Made } from './made.ts'
import type { Noun, Thing } from './model.ts'
import type { Move } from './rules.ts'

/** The moves of each noun as requests. */
type Requests = Readonly<
  Record<Noun, Readonly<Record<string, (as: Client, of: Thing, revision: number) => Promise<unknown>>>>
>

const connectionOf = ({ room, id }: Thing) => ({ room_id: String(room?.id), connection_id: id })
const participantOf = ({ room, id }: Thing) => ({ room_id: String(room?.id), participant_id: id })
const newName = () => `Notes ${randomUUID()}`
const reason = 'It is settled.'

const taskMove =
  (status: 'open' | 'in_progress' | 'blocked') => (as: Client, of: Thing, expected_revision: number) =>
    as.updateTask({ task_id: of.id, expected_revision, status })

const requests: Requests = {
  room: {
    update: (as, { id }, expected_revision) =>
      as.updateRoom({ room_id: id, expected_revision, title: newName() }),
    archive: (as, { id }, expected_revision) => as.archiveRoom({ room_id: id, expected_revision }),
    restore: (as, { id }, expected_revision) => as.restoreRoom({ room_id: id, expected_revision }),
  },
  participant: {
    resend: (as, of) => as.resendInvitation(participantOf(of)),
    revoke: (as, of) => as.revokeParticipant(participantOf(of)),
  },
  goal: {
    update: (as, { id }, expected_revision) =>
      as.updateGoal({ goal_id: id, expected_revision, title: newName() }),
    complete: (as, { id }, expected_revision) =>
      as.updateGoal({ goal_id: id, expected_revision, status: 'completed', terminal_reason: reason }),
    cancel: (as, { id }, expected_revision) =>
      as.updateGoal({ goal_id: id, expected_revision, status: 'canceled', terminal_reason: reason }),
    reopen: (as, { id }, expected_revision) => as.reopenGoal({ goal_id: id, expected_revision, reason }),
  },
  task: {
    open: taskMove('open'),
    start: taskMove('in_progress'),
    block: taskMove('blocked'),
    complete: (as, { id }, expected_revision) => as.completeTask({ task_id: id, expected_revision }),
    cancel: (as, { id }, expected_revision) => as.cancelTask({ task_id: id, expected_revision }),
    reopen: (as, { id }, expected_revision) => as.reopenTask({ task_id: id, expected_revision }),
  },
  connection: {
    read: (as, of) => as.readConnection({ ...connectionOf(of), operation: 'look', arguments: {} }),
    pause: (as, of) => as.pauseConnection(connectionOf(of)),
    resume: (as, of) => as.resumeConnection(connectionOf(of)),
    stop: (as, of) => as.stopConnection(connectionOf(of)),
    reconnect: (as, of) => as.reconnectConnection(connectionOf(of)),
  },
  approval: {
    approve: (as, { id }, expected_revision) =>
      as.approveApproval({ approval_id: id, expected_revision, arguments_sha256: sha256OfArguments }),
    decline: (as, { id }, expected_revision) => as.declineApproval({ approval_id: id, expected_revision }),
    cancel: (as, { id }, expected_revision) => as.cancelApproval({ approval_id: id, expected_revision }),
  },
  file: {
    update: (as, { id }, expected_revision) =>
      as.updateFile({ file_id: id, expected_revision, name: `${newName()}.md` }),
    archive: (as, { id }, expected_revision) => as.archiveFile({ file_id: id, expected_revision }),
    restore: (as, { id }, expected_revision) => as.restoreFile({ file_id: id, expected_revision }),
  },
  room_file: {
    update: (as, { id }, expected_revision) =>
      as.updateRoomFile({ room_file_id: id, expected_revision, index_path: `${newName()}.md` }),
    archive: (as, { id }, expected_revision) => as.archiveRoomFile({ room_file_id: id, expected_revision }),
    restore: (as, { id }, expected_revision) => as.restoreRoomFile({ room_file_id: id, expected_revision }),
  },
  list: {
    update: (as, { id }, expected_version) =>
      as.updateList({ list_id: id, expected_version, name: newName() }),
    archive: (as, { id }, expected_version) => as.archiveList({ list_id: id, expected_version }),
    restore: (as, { id }, expected_version) => as.restoreList({ list_id: id, expected_version }),
  },
}

/** The SHA-256 of `{}`, the arguments of every request of the walk. */
const sha256OfArguments = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'

/** Sends the request of a move. */
export const sendMove = (as: Client, { noun, move, of, revision }: Move): Promise<unknown> => {
  const request = requests[noun][move]
  if (!request) throw new Error(`There is no request for ${noun} ${move}.`)
  return request(as, of, revision)
}

/** Sends another request. Answers with the id of what it created or named. */
// oxlint-disable-next-line typescript/consistent-return -- the switch has a case for every kind, and the compiler sees to that
export async function sendOther(
  world: StateWorld,
  as: Client,
  ask: Other,
  people: { emailOf(name: string): string; idOf(name: string): string; clientOf(name: string): Client },
): Promise<Made> {
  switch (ask.kind) {
    case 'create_room': {
      const parent = ask.parent && { parent_room_id: ask.parent.id }
      const { room_id } = (await as.createRoom({ title: newName(), ...parent })).room
      const [founder] = (await as.listParticipants({ room_id })).participants
      return { id: room_id, founder_id: String(founder?.participant_id) }
    }
    case 'invite': {
      const email = people.emailOf(ask.person)
      const answer = await as.inviteParticipant({ room_id: ask.room.id, email, access_level: ask.level })
      return { id: answer.participant.participant_id }
    }
    case 'answer': {
      const token = await tokenOf(world, ask.of)
      const holder = people.clientOf(String(ask.of.person))
      await (ask.accepts ? holder.acceptInvitation({ token }) : holder.declineInvitation({ token }))
      return { id: ask.of.id }
    }
    case 'set_level':
      await as.updateParticipant({ ...participantOf(ask.of), access_level: ask.level })
      return { id: ask.of.id }
    case 'leave':
      return { id: (await as.leaveRoom({ room_id: ask.room.id })).participant.participant_id }
    case 'create_goal': {
      const place = ask.room && { room_id: ask.room.id }
      return { id: (await as.createGoal({ title: newName(), ...place })).data.goal_id }
    }
    case 'create_task': {
      const { data } = await as.createTask({
        title: newName(),
        ...(ask.room && { room_id: ask.room.id }),
        ...(ask.assignee !== null && { assignee_user_id: people.idOf(ask.assignee) }),
      })
      return { id: data.task_id }
    }
    case 'share': {
      const { data } = await as.shareConnection({
        room_id: ask.room.id,
        kind: 'app',
        plugin: 'test_app',
        label: 'Orders',
        config: {},
        allowed_operations: ['look', 'change'],
        requires_approval: ['change'],
      })
      return { id: data.connection_id }
    }
    case 'request': {
      const action = { ...connectionOf(ask.of), operation: 'change', arguments: {} }
      return { id: (await as.requestApproval(action)).data.approval_id }
    }
    case 'create_file':
      return {
        id: (await as.createTextFile({ name: `${newName()}.md`, content: 'Notes' })).file.file_id,
      }
    case 'attach': {
      const { room_file } = await as.attachRoomFile({ room_id: ask.room.id, file_id: ask.file.id })
      return { id: room_file.room_file_id }
    }
    case 'create_list': {
      const definition = {
        schema_version: 'svc.list.v1',
        subject_type: 'business',
        rule: { kind: 'all' },
      } as const
      return { id: (await as.createList({ name: newName(), definition })).data.id }
    }
  }
}

async function tokenOf(world: StateWorld, { id }: Thing): Promise<string> {
  const sql = 'select token_number as value from room_participants where id = $1'
  return world.token('room', id, await world.value<number>(sql, [id]))
}
