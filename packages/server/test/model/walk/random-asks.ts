import type { Random } from '../random.ts'
import type { Other } from './creation-rules.ts'
import { all, type Model, type Noun, type Room, type Thing } from './model.ts'
import { rules, type Move } from './rules.ts'

const levels = ['view', 'edit', 'full_access'] as const

/** A random move, mostly of something recent and with the right revision. */
export function randomMove(random: Random, model: Model): Move | undefined {
  const noun = random.pick(Object.keys(rules) as Noun[])
  const moves = Object.keys(rules[noun]).filter(move => noun !== 'participant' || move !== 'update')
  const of = random.maybe((all(model, noun) as Thing[]).slice(-6))
  if (!of) return undefined
  const revision = random.chance(0.85) ? of.revision : of.revision + 1
  return { noun, move: random.pick(moves), of, revision }
}

/** A random request that creates something, or lets somebody enter or leave a Room. */
// oxlint-disable-next-line typescript/consistent-return -- the switch has a case for every kind, and the compiler sees to that
export function randomOther(random: Random, model: Model, people: readonly string[]): Other | undefined {
  const rooms = all(model, 'room')
  const room = random.maybe(rooms.slice(-5))
  const person = random.pick(people)
  const level = random.pick(levels)
  const active = rooms.filter(one => one.state === 'active').length
  if (!room || (active < 4 && rooms.length < 60))
    return { kind: 'create_room', parent: parentFor(random, rooms) }
  const recent = (noun: Noun) => random.maybe((all(model, noun) as Thing[]).slice(-6))
  const kind = random.pick(kinds)
  switch (kind) {
    case 'invite':
      return { kind, room, person, level }
    case 'answer': {
      // Whoever created the Room was never invited.
      const of = random.maybe(
        all(model, 'participant')
          .filter(one => one.by !== one.person)
          .slice(-6),
      )
      return of && { kind, of, accepts: random.chance(0.85) }
    }
    case 'set_level': {
      const of = recent('participant')
      return of && { kind, of, level }
    }
    case 'leave':
    case 'share':
      return { kind, room }
    case 'create_goal':
      return { kind, room: random.chance(0.8) ? room : null }
    case 'create_task':
      return {
        kind,
        room: random.chance(0.8) ? room : null,
        assignee: random.chance(0.6) ? person : null,
      }
    case 'request': {
      const of = recent('connection')
      return of && { kind, of }
    }
    case 'attach': {
      const file = recent('file')
      return file && { kind, room, file }
    }
    case 'create_file':
    case 'create_list':
      return { kind }
  }
}

const parentFor = (random: Random, rooms: readonly Room[]): Room | null =>
  random.chance(0.4) ? (random.maybe(rooms.filter(one => one.parent === null).slice(-3)) ?? null) : null

const kinds = [
  'invite',
  'invite',
  'answer',
  'answer',
  'answer',
  'set_level',
  'set_level',
  'leave',
  'create_goal',
  'create_task',
  'create_task',
  'share',
  'share',
  'request',
  'request',
  'create_file',
  'attach',
  'create_list',
] as const
