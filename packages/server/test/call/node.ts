import { createSecretKey, randomUUID } from 'node:crypto'
import { newId } from '@wbs/contract/ids'
import type { Scope } from '@wbs/contract/scopes'
import pg from 'pg'
import { createKnownMembers } from '../../src/call/authority/known-members.ts'
import type { Caller, KeyCaller, SignedInCaller } from '../../src/call/authority/caller.ts'
import type { Implementation } from '../../src/call/implement.ts'
import { createSingleFlight } from '../../src/call/commands/attempts.ts'
import { Problem } from '../../src/call/problem.ts'
import type { Answer, Pipeline, Runnable } from '../../src/call/call.ts'
import { run } from '../../src/call/run.ts'
import { validatorOf } from '../../src/call/input/validate.ts'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'
import { openPools } from '../../src/database/database.ts'
import { mintApiKey } from '../../src/identity/api-key-format.ts'
import { insertApiKey } from '../../src/workspaces/api-keys/api-key-store.ts'
import { addMember } from '../../src/workspaces/workspace-store.ts'
import { handleCreateWorkspace } from '../../src/workspaces/create-workspace.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { quietLog } from '../harness/quiet-log.ts'
import { superuserPool } from '../harness/postgres/superuser-pool.ts'

/** A request to a node, without a transport. */
export interface Request {
  caller: Caller
  key: string
  workspace_id?: string
  path?: Record<string, string>
  body: object
}

/** A node of the service without transports, with its own connections and memory. */
export interface Node {
  pipeline: Pipeline
  call(implementation: Implementation, request: Request): Promise<Answer>
  close(): Promise<void>
}

function createNode(address: DatabaseAddress): Node {
  const database = openPools(address, quietLog)
  const pipeline: Pipeline = {
    readers: database.readers,
    publicReads: database.publicReads,
    writers: database.writers,
    secret: createSecretKey(Buffer.from('a secret for tests, the same on every node')),
    now: () => new Date(),
    singleFlight: createSingleFlight(),
    knownMembers: createKnownMembers(),
    visibilityChecks: { workspace: async () => true, note: async () => true },
    jobs: { send: () => Promise.reject(new Error('No job is asked for here.')) },
    log: quietLog,
  }
  const runnables = new Map<Implementation, Runnable>()
  function runnable(implementation: Implementation): Runnable {
    const known = runnables.get(implementation)
    const made = known ?? { implementation, validate: validatorOf(implementation.operation) }
    runnables.set(implementation, made)
    return made
  }
  return {
    pipeline,
    call: (implementation, request) =>
      run(pipeline, runnable(implementation), {
        request_id: newId('req'),
        caller: request.caller,
        workspace_id: request.workspace_id,
        idempotency_key: request.key,
        input: { path: request.path ?? {}, query: new Map(), body: request.body },
      }),
    close: () => database.close(),
  }
}

/** Two nodes on a database of their own, and its set-up by a test. */
export interface TwoNodes {
  nodes: readonly [Node, Node]
  testDatabase: TestDatabase
  /** As the superuser, without row-level security. */
  sql<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** A Workspace with one note, at revision 1. */
  workspaceWithNote(owner: SignedInCaller): Promise<{ workspace_id: string; note_id: string }>
  join(workspace_id: string, member: SignedInCaller): Promise<unknown>
  apiKey(workspace_id: string, owner: SignedInCaller): Promise<KeyCaller>
  close(): Promise<void>
}

export async function startTwoNodes(): Promise<TwoNodes> {
  const testDatabase = await createTestDatabase()
  const { address } = testDatabase
  const nodes = [createNode(address), createNode(address)] as const
  const admin = superuserPool(address, 2)
  const { writers } = nodes[0].pipeline

  return {
    nodes,
    testDatabase,
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await admin.query<Row>(text, values)).rows
    },
    async workspaceWithNote(owner) {
      const answer = await nodes[0].call(handleCreateWorkspace, {
        caller: owner,
        key: randomUUID(),
        body: { name: 'A Workspace' },
      })
      const { workspace } = answer.body as { workspace: { id: string } }
      const note_id = `note-${randomUUID().slice(0, 8)}`
      await admin.query(
        `update workspaces set metadata = jsonb_build_object('notes', jsonb_build_object($2::text, '{"text": "as it was"}'::jsonb)) where id = $1`,
        [workspace.id, note_id],
      )
      return { workspace_id: workspace.id, note_id }
    },
    join: (workspace_id, member) =>
      writers.transaction({ workspace_id, user_id: member.user_id }, async tx =>
        addMember(tx, workspace_id, member, 'member', new Date()),
      ),
    async apiKey(workspace_id, owner) {
      const { prefix, last4, digest } = mintApiKey('test')
      const presented = { prefix, digest, address: '127.0.0.1' }
      const scopes: Scope[] = ['rooms:write']
      const key = { workspace_id, owner_user_id: owner.user_id, name: 'A key', prefix, last4, digest, scopes }
      const { key_id } = await writers.transaction({ workspace_id, user_id: owner.user_id }, async tx =>
        insertApiKey(tx, key, new Date()),
      )
      return {
        kind: 'key',
        presented,
        key_id,
        key_name: key.name,
        workspace_id,
        user_id: owner.user_id,
        scopes,
        has_networks: false,
      }
    },
    async close() {
      await Promise.all(nodes.map(node => node.close()))
      await admin.end()
      await testDatabase.drop()
    },
  }
}

/** A new signed-in person. */
export function somebody(name = 'Olivia'): SignedInCaller {
  const subject = `${name}-${randomUUID()}`
  return {
    kind: 'user',
    user_id: randomUUID(),
    issuer: 'https://issuer.example',
    subject,
    email: `${subject}@example.com`,
    email_verified: true,
    name,
    is_anonymous: false,
    client: null,
  }
}

/** The problem that a request was refused with. Throws if it succeeded or failed otherwise. */
export async function refusal(request: Promise<Answer>): Promise<Problem> {
  try {
    await request
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('The request was not refused.')
}
