import type { Actor } from '@wbs/contract/events'
import { clientId } from '../../identity/user-id.ts'
import type { Caller } from './caller.ts'

/** The actor, as receipts and events name it. */
export function actorOf(caller: Caller): Actor {
  if (caller.kind === 'key') {
    const via = { kind: 'api_key', name: caller.key_name, client_id: caller.key_id } as const
    return { type: 'person', user_id: caller.user_id, name: null, via }
  }
  const { user_id, name, issuer, client } = caller
  const via =
    client &&
    ({ kind: 'app', name: client.name ?? client.id, client_id: clientId(issuer, client.id) } as const)
  return { type: 'person', user_id, name, via }
}
