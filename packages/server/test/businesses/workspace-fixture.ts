import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { Client } from '@wbs/sdk'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { refused } from '../harness/refused.ts'
import { addBusiness, type BusinessFacts } from '../harness/businesses.ts'

/** Two unrelated Workspaces: Olivia's, with Mia and Viktor, and Sam's. */
export interface TwoWorkspaces {
  service: TestService
  olivia: Person
  mia: Person
  viktor: Person
  sam: Person
  workspace_id: string
  sams: string
  /** Olivia's client, in her Workspace. */
  us: Client
  /** Sam's, in his. */
  them: Client
  /** A client that acts for a member in Olivia's Workspace. */
  as(person: Person): Client
  close(): Promise<void>
}

export async function twoWorkspaces(): Promise<TwoWorkspaces> {
  const service = await startTestService()
  const [olivia, mia, viktor, sam] = ['Olivia', 'Mia', 'Viktor', 'Sam'].map(name => service.person(name)) as [
    Person,
    Person,
    Person,
    Person,
  ]
  const workspace_id = await service.workspace('Harbor', olivia, { member: mia, viewer: viktor })
  const sams = await service.workspace('Elsewhere', sam)
  const clientIn = (person: Person, workspace: string) =>
    service.client({ access_token: person.token, workspace_id: workspace })
  return {
    service,
    olivia,
    mia,
    viktor,
    sam,
    workspace_id,
    sams,
    us: clientIn(olivia, workspace_id),
    them: clientIn(sam, sams),
    as: person => clientIn(person, workspace_id),
    close: () => service.close(),
  }
}

export type OfEditable = [facts?: Partial<BusinessFacts>, level?: AccessLevel]

/** A Business that Olivia's Workspace may edit, by default a draft. */
export async function editableBusiness(
  { service, workspace_id, olivia }: TwoWorkspaces,
  ...[facts = {}, level = 'edit']: OfEditable
): Promise<string> {
  const id = await addBusiness(service, { name: 'Glacier Tooling', publication_status: 'draft', ...facts })
  await service.link(workspace_id, id, olivia, level)
  return id
}

/** What is wrong with a request, as `pointer code`. */
export async function faults(call: Promise<unknown>): Promise<string[]> {
  const { errors } = await refused(call, 'validation_error')
  return errors.map(error => `${error.pointer} ${error.code}`)
}

/** The types of the events about a Business in a Workspace, in order. */
export async function eventsAbout(
  { service, workspace_id }: TwoWorkspaces,
  business_id: string,
): Promise<string[]> {
  const rows = await service.sql<{ type: string }>(
    `select type from events where workspace_id = $1 and subject ->> 'id' = $2 order by position`,
    [workspace_id, business_id],
  )
  return rows.map(row => row.type)
}

/** Sends a request twice with one key and checks the replay, and that another request with the key is refused. */
export async function assertOnce<Answer extends { idempotent_replay: boolean; request_id: string }>(
  ask: (options: { idempotency_key: string }) => Promise<Answer>,
  askOther: (options: { idempotency_key: string }) => Promise<unknown>,
): Promise<Answer> {
  const options = { idempotency_key: randomUUID() }
  const first = await ask(options)
  const again = await ask(options)
  assert.equal(first.idempotent_replay, false)
  assert.deepEqual(again, {
    ...first,
    request_id: again.request_id,
    original_request_id: first.request_id,
    idempotent_replay: true,
  })
  await refused(askOther(options), 'idempotency_key_reused')
  return first
}
