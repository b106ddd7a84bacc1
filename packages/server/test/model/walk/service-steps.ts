import type { Random } from '../random.ts'
import type { StateWorld } from '../states/state-world.ts'
import { succeeded } from '../states/test-app.ts'
import {
  all,
  isFrozen,
  levelIn,
  may,
  requesterMay,
  shownState,
  type Model,
  type Room,
  type Thing,
} from './model.ts'
import { endIn, moveApprovals } from './rules.ts'

/** A step that no request makes: a job runs, time passes, or general access changes. */
export async function serviceStep(random: Random, world: StateWorld, model: Model): Promise<void> {
  const room = random.maybe(all(model, 'room').slice(-5))
  if (room && random.chance(0.3)) return changeRoom(random, world, room)
  const connection = random.maybe(all(model, 'connection').slice(-6))
  if (connection && random.chance(0.3)) return endConnections(world, model, connection)
  const approval = random.maybe(all(model, 'approval').slice(-6))
  if (!approval) return
  if (random.chance(0.2)) await expire(world, model, approval)
  else await execute(random, world, model, approval)
}

/** Members get access without an invitation or lose it, and guests see each other or not. */
async function changeRoom(random: Random, { service }: StateWorld, room: Room): Promise<void> {
  room.general = room.parent ? null : random.pick([null, 'view', 'edit'])
  room.masked = random.chance(0.5)
  await service.sql(
    `update rooms set general_access = $2, general_access_level = $3, participant_visibility = $4 where id = $1`,
    [
      room.id,
      room.general ? 'workspace' : 'invited_only',
      room.general,
      room.masked ? 'managers' : 'everyone',
    ],
  )
}

/** The job that stops the connections of somebody who has lost the Room. */
async function endConnections(world: StateWorld, model: Model, { id, by, room }: Thing): Promise<void> {
  const sql = 'select shared_by as value from room_connections where id = $1'
  const user_id = await world.value<string>(sql, [id])
  const { workspace_id } = world
  await world.run('end_connections', { workspace_id, user_id, room_id: String(room?.id) })
  for (const connection of all(model, 'connection')) {
    if (connection.by !== by || connection.room !== room || connection.state === 'stopped') continue
    const isOver = shownState(model, connection) === 'stopped' || levelIn(model, by, room as Room) === null
    if (!isOver) continue
    connection.state = 'stopped'
    moveApprovals(model, connection, 'stop')
  }
}

const isOpen = ({ state }: Thing): boolean => ['pending', 'held', 'approved'].includes(state)

async function expire(world: StateWorld, model: Model, approval: Thing): Promise<void> {
  const { id } = approval
  await world.service.sql(
    `update approvals set expires_at = now() - interval '1 second' where id = $1 and (status = 'pending' or status = 'approved')`,
    [id],
  )
  await world.run('expire_approval', { workspace_id: world.workspace_id, approval_id: id })
  if (isOpen(approval)) endIn(approval, 'expired')
}

/** The job that carries out an approved action. The app does it, refuses it, or refuses the connection as such. */
async function execute(random: Random, world: StateWorld, model: Model, approval: Thing): Promise<void> {
  const outcome = random.pick(['succeeded', 'succeeded', 'refused', 'access_refused'] as const)
  if (outcome !== 'succeeded') world.app.answers = { outcome, detail: 'The app does not do it.' }
  const { id } = approval
  await world
    .run('execute_approval', { workspace_id: world.workspace_id, approval_id: id })
    .finally(() => (world.app.answers = succeeded))
  const to = afterExecution(model, approval, outcome === 'succeeded' ? 'executed' : 'failed')
  if (to !== null) endIn(approval, to)
  if (to === 'failed' && outcome === 'access_refused') (approval.of as Thing).state = 'error'
}

/** The state of an approval after its job has run, which is `sent` if the app was asked; null if the job changes nothing. */
function afterExecution(model: Model, approval: Thing, sent: string): string | null {
  const connection = approval.of as Thing
  const state = shownState(model, approval)
  if (state !== approval.state) return state
  if (state !== 'approved') return null
  if (isFrozen(approval.room) || !requesterMay(model, approval) || !deciderMay(model, approval))
    return 'canceled'
  if (shownState(model, connection) !== 'live') return 'held'
  return sent
}

const deciderMay = (model: Model, { decider, of, room }: Thing): boolean =>
  decider !== null &&
  may(model, decider, 'approvals:decide') &&
  (decider === of?.by || levelIn(model, decider, room as Room) === 'full_access')
