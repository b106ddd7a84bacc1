import { scopesOf, type Operation } from '@wbs/contract/operation'
import { read, readUnscoped, type Reader } from '../../database/statement.ts'
import { principalOf, type Caller, type KeyCaller } from './caller.ts'
import { keyCallerFrom, type ApiKeyRow } from './verify-api-key.ts'
import { Problem } from '../problem.ts'
import {
  isGuestSql,
  isMembershipSql,
  standingFrom,
  guestStandingFrom,
  requireScopes,
  type GuestStanding,
  type MembershipRow,
  type Standing,
} from './standing.ts'

/** What an operation requires of its callers. */
type Requirements = Pick<Operation, 'guests' | 'scope'>

/** The standing of each caller; null for one who may not do this, or whose API key is not valid any more. */
export type Standings = Map<Caller, Standing | GuestStanding | null>

/**
 * The standing of many callers in a Workspace: one statement for all of them, and one for their API keys. The rules are
 * those of a single request. Access tokens are not checked, because that needs the token and no database.
 */
export async function standingsIn(
  reader: Reader,
  callers: readonly Caller[],
  workspace_id: string,
  asked: Requirements,
): Promise<Standings> {
  const keys = callers.filter(caller => caller.kind === 'key')
  const user_ids = [...new Set(callers.map(caller => caller.user_id))]
  const prefixes = [...new Set(keys.map(key => key.presented.prefix))]
  const [parties, keyRows] = await Promise.all([
    reader.many(standingsOfMany, { workspace_id, user_ids }),
    prefixes.length === 0 ? [] : reader.many(apiKeysByPrefixes, { prefixes }),
  ])
  const partyOf = new Map(parties.map(party => [party.user_id, party]))
  const keyOf = new Map(keyRows.map(key => [key.prefix, key]))
  const standingNow = (caller: Caller) => {
    const now = caller.kind === 'key' ? keyCallerNow(caller, keyOf.get(caller.presented.prefix)) : caller
    if (now.kind === 'key' && now.workspace_id !== workspace_id) return null
    const standing = standingOf(now, workspace_id, partyOf.get(caller.user_id), asked)
    requireScopes(standing, scopesOf(asked))
    return standing
  }
  return new Map(callers.map(caller => [caller, unlessRefused(() => standingNow(caller))]))
}

function keyCallerNow(caller: KeyCaller, row: ApiKeyRow | undefined): KeyCaller {
  const now = keyCallerFrom(row, caller.presented)
  if (principalOf(now) !== principalOf(caller)) throw new Error('A prefix belongs to another API key now.')
  return now
}

function standingOf(
  caller: Caller,
  workspace_id: string,
  party: PartyRow | undefined,
  { guests }: Requirements,
): Standing | GuestStanding {
  if (party && party.id !== null) return standingFrom(caller, workspace_id, party)
  if (!guests || caller.kind === 'key') return standingFrom(caller, workspace_id, undefined)
  return guestStandingFrom(workspace_id, party?.is_guest ? party : undefined)
}

function unlessRefused<T>(judged: () => T): T | null {
  try {
    return judged()
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

type PartyRow = { user_id: string; is_guest: boolean } & (
  | MembershipRow
  | ({ [K in keyof MembershipRow]: null } & Pick<MembershipRow, 'workspace_status'>)
)

const standingsOfMany = read<PartyRow>(
  'standings_of_many',
  `select asked.user_id, m.id, m.role, m.permissions, w.status as workspace_status,
     m.id is null and ${isGuestSql('asked.user_id')} as is_guest
   from unnest(:user_ids::uuid[]) as asked (user_id) cross join workspaces w
   left join memberships m on ${isMembershipSql('asked.user_id')}
   where w.id = :workspace_id`,
)

const apiKeysByPrefixes = readUnscoped<ApiKeyRow & { prefix: string }>(
  'api_keys_by_prefixes',
  `select asked.prefix, k.id, k.workspace_id, k.owner_user_id, k.name, k.secret_digests, k.scopes, k.allowed_cidrs, k.expired, k.revoked
   from unnest(:prefixes::text[]) as asked (prefix) cross join lateral find_api_key_by_prefix(asked.prefix) k`,
)
