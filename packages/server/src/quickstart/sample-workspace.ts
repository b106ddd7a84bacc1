import { forbiddenForKeys, scopes } from '@wbs/contract/scopes'
import type { SignedInCaller } from '../call/authority/caller.ts'
import type { Answer, Call } from '../call/call.ts'
import type { Database } from '../database/database.ts'
import { linkSomePublishedBusinesses } from '../businesses/workspace-links/workspace-business-store.ts'
import { mintApiKey, readApiKey } from '../identity/api-key-format.ts'
import { developmentNamespace, sampleUsers, type SampleUser } from '../identity/development/sample-users.ts'
import { userId } from '../identity/user-id.ts'
import { insertApiKey, isLiveApiKey, revokeApiKeysNamed } from '../workspaces/api-keys/api-key-store.ts'
import { addMember, membershipsOfUser } from '../workspaces/workspace-store.ts'

export interface SampleKey {
  key_id: string
  secret: string
  scopes: string[]
}

export interface SampleWorkspaces {
  workspace_id: string
  other_workspace_id: string
  api_key: SampleKey
}

interface World {
  database: Database
  createWorkspace(call: Call): Promise<Answer>
  now: () => Date
}

/**
 * Creates what the quickstart shows, or finds what an earlier start created: two Workspaces, the first with four
 * members, some Businesses and an API key. `known` is the key of the quickstart file, which is the only place of its
 * secret.
 */
export async function sampleWorkspaces(world: World, known: SampleKey | null): Promise<SampleWorkspaces> {
  const owner = sampleCaller('owner')
  const workspace_id = await found(world, owner, 'Harbor Street Partners')
  const other_workspace_id = await found(world, sampleCaller('outsider'), 'Northgate Advisers')
  for (const role of ['admin', 'member', 'viewer'] as const)
    await join(world, workspace_id, sampleCaller(role), role)
  await world.database.writers.transaction({ workspace_id, user_id: owner.user_id }, tx =>
    linkSomePublishedBusinesses(tx, workspace_id, owner.user_id, 12),
  )
  return {
    workspace_id,
    other_workspace_id,
    api_key: await sampleKey(world, workspace_id, owner.user_id, known),
  }
}

/** A sample user as a caller. */
function sampleCaller(key: SampleUser['key']): SignedInCaller {
  const user = sampleUsers.find(user => user.key === key) as SampleUser
  return {
    kind: 'user',
    user_id: userId(developmentNamespace, user.subject),
    issuer: developmentNamespace,
    subject: user.subject,
    email: user.email,
    email_verified: true,
    name: user.name,
    is_anonymous: false,
    client: null,
  }
}

/** The Idempotency-Key of create_workspace is kept for ever, so every later start finds the same Workspace. */
async function found(world: World, owner: SignedInCaller, name: string): Promise<string> {
  const answer = await world.createWorkspace({
    request_id: 'quickstart',
    caller: owner,
    workspace_id: undefined,
    idempotency_key: 'quickstart-workspace',
    input: { path: {}, query: new Map(), body: { name } },
  })
  return (answer.body as { workspace: { id: string } }).workspace.id
}

async function join(
  world: World,
  workspace_id: string,
  user: SignedInCaller,
  role: 'admin' | 'member' | 'viewer',
): Promise<void> {
  const reader = world.database.readers.scoped({ workspace_id, user_id: user.user_id })
  const memberships = await membershipsOfUser(reader, user.user_id)
  if (memberships.some(membership => membership.workspace_id === workspace_id)) return
  await world.database.writers.transaction({ workspace_id, user_id: user.user_id }, async tx =>
    addMember(tx, workspace_id, user, role, world.now()),
  )
}

async function sampleKey(
  world: World,
  workspace_id: string,
  owner_user_id: string,
  known: SampleKey | null,
): Promise<SampleKey> {
  const reader = world.database.readers.scoped({ workspace_id, user_id: owner_user_id })
  if (known && readApiKey(known.secret) && (await isLiveApiKey(reader, workspace_id, known.key_id)))
    return known
  const name = 'Quickstart'
  const { secret, prefix, last4, digest } = mintApiKey('dev')
  const granted = scopes.filter(scope => !forbiddenForKeys.includes(scope))
  const key_id = await world.database.writers.transaction(
    { workspace_id, user_id: owner_user_id },
    async tx => {
      await revokeApiKeysNamed(tx, workspace_id, name)
      const key = { workspace_id, owner_user_id, name, prefix, last4, digest, scopes: granted }
      return insertApiKey(tx, key, world.now()).key_id
    },
  )
  return { key_id, secret, scopes: granted }
}
