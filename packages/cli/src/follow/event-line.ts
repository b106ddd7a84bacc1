import type { FeedEvent } from '@wbs/sdk'
import { oneLine } from '../one-line.ts'

/** An event in one line: when, who, what, to what, and in which Room. Names are what others typed, so they cannot control the terminal. */
export function eventLine({ occurred_at, actor, type, subject, room }: FeedEvent): string {
  const app = actor.via?.name ?? actor.via?.kind
  const who = `${actor.name ?? (actor.type === 'system' ? 'the service' : 'somebody')}${app ? ` by ${app}` : ''}`
  const what = subject.name === null ? subject.id : `“${subject.name}” (${subject.id})`
  const where = subject.type === 'room' ? '' : `in “${room.title}” (${room.id})`
  return [occurred_at, who, type, what, where].map(oneLine).join('  ').trimEnd()
}
