import { randomUUID } from 'node:crypto'
import type { Receipt } from '@wbs/contract/receipts'
import type { Static } from 'typebox'
import type { Caller, SignedInCaller } from '../../../src/call/authority/caller.ts'
import type { Answer } from '../../../src/call/call.ts'
import { handleCreateWorkspace } from '../../../src/workspaces/create-workspace.ts'
import { somebody, type Node, type TwoNodes } from '../node.ts'
import { createProbe, type Probe } from '../probe.ts'

/** How a request for a change differs from the first one. */
export interface Asking {
  key?: string
  node?: Node
  caller?: Caller
  workspace_id?: string
  body?: object
}

/** A change to request repeatedly, with the same key unless a test sets another. */
export interface Command {
  key: string
  owner: SignedInCaller
  ask(how?: Asking): Promise<Answer>
  /** A body other than the default. */
  other: object
  /** The traces of the change in the database. */
  traces(): Promise<Traces>
}

export interface Traces {
  effects: number
  receipts: number
  events: number
  commands: number
}

export const once: Traces = { effects: 1, receipts: 1, events: 1, commands: 1 }
export const never: Traces = { effects: 0, receipts: 0, events: 0, commands: 0 }

/** The part of either answer that these tests read. */
export interface Body {
  request_id: string
  original_request_id: string
  idempotent_replay: boolean
  workspace?: { id: string; name: string }
  note?: { text: string; revision: number; edit_token: string | null }
  action_receipt?: Static<typeof Receipt>
}

export const bodyOf = (answer: Answer) => answer.body as Body

export async function creation({ nodes, sql }: TwoNodes): Promise<Command> {
  const owner = somebody()
  const key = randomUUID()
  return {
    key,
    owner,
    other: { name: 'Another' },
    ask: (how = {}) =>
      (how.node ?? nodes[0]).call(handleCreateWorkspace, {
        caller: how.caller ?? owner,
        key: how.key ?? key,
        body: how.body ?? { name: 'Once' },
      }),
    async traces() {
      const [traces] = await sql<Traces & Record<string, number>>(
        `select (select count(*)::int from workspaces where created_by = $1) as effects,
                (select count(*)::int from receipts where actor ->> 'user_id' = $1::text) as receipts,
                (select count(*)::int from events where actor ->> 'user_id' = $1::text) as events,
                (select count(*)::int from commands where scope_id = $1) as commands`,
        [owner.user_id],
      )
      return traces as Traces
    },
  }
}

export interface NoteCommand extends Command {
  workspace_id: string
  note_id: string
  probe: Probe
}

export async function noteEdit(
  world: TwoNodes,
  owner = somebody(),
  probe = createProbe(),
): Promise<NoteCommand> {
  const { workspace_id, note_id } = await world.workspaceWithNote(owner)
  const key = randomUUID()
  return {
    key,
    owner,
    workspace_id,
    note_id,
    probe,
    other: { expected_revision: 1, text: 'another' },
    ask: (how = {}) =>
      (how.node ?? world.nodes[0]).call(probe.implementation, {
        caller: how.caller ?? owner,
        key: how.key ?? key,
        workspace_id: how.workspace_id ?? workspace_id,
        path: { note_id },
        body: how.body ?? { expected_revision: 1, text: 'as it is' },
      }),
    async traces() {
      const [traces] = await world.sql<Traces & Record<string, number>>(
        `select (select revision - 1 from workspaces where id = $1) as effects,
                (select count(*)::int from receipts where workspace_id = $1 and operation = 'edit_note') as receipts,
                (select count(*)::int from events where workspace_id = $1 and subject ->> 'type' = 'note') as events,
                (select count(*)::int from commands where scope_id = $1) as commands`,
        [workspace_id],
      )
      return traces as Traces
    },
  }
}
