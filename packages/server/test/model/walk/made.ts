import { pendingOf, type Other } from './creation-rules.ts'
import { all, membershipOf, participation, type Model, type Room, type Thing } from './model.ts'

/** What a request has created, and the participation of the founder of a Room. */
export interface Made {
  id: string
  founder_id?: string
}

const blank = {
  state: 'active',
  revision: 1,
  room: null,
  person: null,
  level: 'full_access',
  of: null,
  basis: null,
  membership: 0,
  joined: false,
  decider: null,
} as const

/** Changes the model by a request that was done. */
export function addMade(model: Model, who: string, ask: Other, { id, founder_id = '' }: Made): void {
  const membership = membershipOf(model, who)
  const add = (thing: Partial<Thing> & Pick<Thing, 'noun'>) =>
    model.things.push({ ...blank, id, by: who, membership, ...thing })
  switch (ask.kind) {
    case 'create_room': {
      const room: Room = {
        ...blank,
        noun: 'room',
        id,
        by: who,
        parent: ask.parent,
        general: null,
        masked: false,
      }
      model.things.push(room)
      const founder = { noun: 'participant', room, person: who, joined: true } as const
      model.things.push({ ...blank, id: founder_id, by: who, ...founder })
      return
    }
    case 'invite':
      return addInvitation(model, who, ask, id)
    case 'answer': {
      ask.of.state = ask.accepts ? 'active' : 'declined'
      ask.of.joined = ask.accepts
      return
    }
    case 'set_level':
      ask.of.level = ask.level
      return
    case 'leave': {
      const own = participation(model, who, ask.room)
      if (own) own.state = 'left'
      return
    }
    case 'create_goal':
      return void add({ noun: 'goal', room: ask.room })
    case 'create_task':
      return void add({ noun: 'task', state: 'open', room: ask.room, person: ask.assignee })
    case 'share': {
      const basis = participation(model, who, ask.room) ?? null
      return void add({ noun: 'connection', state: 'live', room: ask.room, basis })
    }
    case 'request': {
      const room = ask.of.room as Room
      const basis = participation(model, who, room) ?? null
      return void add({ noun: 'approval', state: 'pending', room, of: ask.of, basis })
    }
    case 'create_file':
      return void add({ noun: 'file' })
    case 'attach': {
      const isThere = all(model, 'room_file').some(one => one.id === id)
      if (!isThere) add({ noun: 'room_file', room: ask.room, of: ask.file })
      return
    }
    case 'create_list':
      return void add({ noun: 'list' })
  }
}

/** An address has one pending invitation in a Room; inviting it again changes that one. */
function addInvitation(
  model: Model,
  who: string,
  { room, person, level }: Other & { kind: 'invite' },
  id: string,
): void {
  const basis = model.roles.has(who) ? null : (participation(model, who, room) ?? null)
  const membership = membershipOf(model, who)
  const earlier = pendingOf(model, person, room)
  if (earlier) Object.assign(earlier, { by: who, membership, level, basis })
  else
    model.things.push({
      ...blank,
      noun: 'participant',
      id,
      state: 'pending',
      by: who,
      membership,
      room,
      person,
      level,
      basis,
    })
}
