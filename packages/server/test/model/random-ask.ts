import type { Random } from './random.ts'
import type { Ask, Model, ModelChanges, ModelRoom } from './room-model.ts'

interface AskedOf {
  model: Model
  actors: readonly string[]
  newTitle: () => string
}

/** A random request in a Workspace, which now and then makes no sense there. */
export function randomAsk(random: Random, world: AskedOf, workspace: string): Ask | undefined {
  const { model } = world
  const here = model.rooms.filter(room => room.workspace === workspace)
  const room = random.chance(0.95) ? random.maybe(here) : random.maybe(model.rooms)
  const kinds = [
    'create',
    'list',
    'get',
    'get',
    'update',
    'update',
    'update',
    'archive',
    'restore',
    'attach',
    'attach',
    'detach',
    'level',
    'revoke',
    'leave',
    'break_glass',
  ] as const
  const kind = here.length < 4 || (here.length < 25 && random.chance(0.05)) ? 'create' : random.pick(kinds)
  if (kind === 'create')
    return {
      kind,
      business: random.chance(0.5) ? random.pick(model.businesses) : null,
      parent: random.chance(0.5) ? (room ?? null) : null,
    }
  if (kind === 'list') return { kind }
  if (!room) return undefined
  const revision = random.chance(0.8)
    ? room.revision
    : random.chance(0.5)
      ? room.revision + 1
      : Math.max(0, room.revision - 1)
  switch (kind) {
    case 'get':
      return { kind, room }
    case 'update':
      return { kind, room, revision, changes: randomChanges(random, room, world.newTitle) }
    case 'attach':
      return { kind, room, business: random.pick(model.businesses) }
    case 'level':
      return {
        kind,
        room,
        person: someone(random, room, world.actors),
        level: random.pick(['view', 'edit', 'full_access'] as const),
      }
    case 'revoke':
      return { kind, room, person: someone(random, room, world.actors) }
    case 'leave':
    case 'break_glass':
      return { kind, room }
    case 'detach':
      return { kind, room, business: random.maybe(room.attachments) ?? random.pick(model.businesses) }
    default:
      return { kind, room, revision }
  }
}

const someone = (random: Random, room: ModelRoom, actors: readonly string[]): string =>
  (random.chance(0.9) ? random.maybe([...room.participants.keys()]) : undefined) ?? random.pick(actors)

function randomChanges(random: Random, room: ModelRoom, newTitle: () => string): ModelChanges {
  const changes = {
    ...(random.chance(0.4) && { title: random.chance(0.2) ? room.title : newTitle() }),
    ...(random.chance(0.5) && {
      general_access: random.pick(['invited_only', 'business', 'workspace'] as const),
    }),
    ...(random.chance(0.3) && { general_access_level: random.pick(['view', 'edit'] as const) }),
  }
  return Object.keys(changes).length > 0 ? changes : { title: newTitle() }
}
