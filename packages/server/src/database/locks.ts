import { write } from './statement.ts'
import type { Transaction } from './connections/writer.ts'

/**
 * What a transaction can lock, until it ends, by an advisory lock of PostgreSQL. Advisory locks are granted in the
 * order of the requests, so many shared locks cannot starve an exclusive one, as shared row locks can
 * (docs/decisions/0012-authority.md). A transaction that takes several takes them in the order of this list, which
 * prevents deadlocks. Of two of one kind, the parent of a Room comes before the Room, and the caller before another member.
 * The Idempotency-Key is locked before all of these, and the counter of the feed after them.
 */
export type Lockable =
  /** The team of a Workspace: its changes run one after the other. */
  | 'team'
  /** A Workspace as a whole: every change in it shares this lock. */
  | 'workspace'
  /** The authority of a member, by user id: every change that they make in the Workspace shares this lock. */
  | 'member'
  /** The authority of an API key: every change that it makes shares this lock. */
  | 'api_key'
  /** A Room: its own changes run one after the other. Changes of its sub-rooms, Goals, Tasks and approvals share this lock. */
  | 'room'
  /** A File: its changes run one after the other. */
  | 'file'
  /** A List: its changes run one after the other. */
  | 'list'
  /** Which benchmark sets a Workspace has: imports run one after the other. */
  | 'benchmark_sets'
  /** A valuation: its changes run one after the other. */
  | 'valuation'
  /** Which portfolios of a Workspace hold which: changes of that run one after the other. */
  | 'portfolios'
  /** A portfolio: its changes run one after the other. */
  | 'portfolio'
  /** An asset: its changes run one after the other. */
  | 'asset'
  /** A Goal: its changes run one after the other. Its Room is locked shared. */
  | 'goal'
  /** A Task: its changes run one after the other. Its Room is locked shared. */
  | 'task'
  /** An approval: its changes run one after the other. Its Room is locked shared. */
  | 'approval'
  /** The link of a Workspace to a Business: every change that it makes of the Business shares this lock. */
  | 'business_link'
  /** A Business: links that rely on its being published share this lock. */
  | 'business'
  /** The content of Files, by its SHA-256: changes that name it share this lock, and whoever removes it takes it alone. */
  | 'blob'
  /** How much content a Workspace has: near its limit, changes that add to it run one after the other. */
  | 'storage'
  /** The cause of a system change: attempts at the same job run one after the other. */
  | 'cause'
  /** The notices of a Workspace: those who count or take them run one after the other. */
  | 'notices'

type LockTarget = readonly [thing: Lockable, id: string]

/** Shared locks to take in a Workspace, or outside of any. */
export interface SharedLocks {
  workspace_id: string | null
  targets: readonly LockTarget[]
}

/** Takes shared locks, which wait for exclusive ones. */
export const lockShared = (tx: Transaction, workspace_id: string | null, targets: readonly LockTarget[]) =>
  tx.run(shared, lockValues(workspace_id, targets))

/** Takes exclusive locks, which wait for all others. */
export const lockExclusive = (tx: Transaction, workspace_id: string | null, targets: readonly LockTarget[]) =>
  tx.run(alone, lockValues(workspace_id, targets))

/** The parameters of a statement that locks `lockTargetsSql`. */
export function lockValues(workspace_id: string | null, targets: readonly LockTarget[]) {
  const things: Lockable[] = []
  const ids: string[] = []
  for (const [thing, id] of targets) {
    things.push(thing)
    ids.push(id)
  }
  return { workspace_id, things, ids }
}

/** SQL: the targets of `lockValues` as the rows `named`. */
export const lockTargetsSql = `unnest(:things::text[], :ids::text[]) as named (thing, id)`

/** SQL that sets a setting: the transaction repeats, or may repeat, a command, because another one has its key. */
export const setRepeatsSql = (repeats: boolean) =>
  `set_config('svc.repeats', '${repeats ? 'yes' : ''}', true)`

/**
 * SQL: whether a prefetched statement may lock. It may if the standing that this transaction has judged has the same
 * seal, and the transaction repeats no command.
 */
export const mayLockForSql = (seal: string) => `(
  coalesce(current_setting('svc.repeats', true), '') = ''
  and concat_ws(' ', ${settingSql('svc.key')}, ${settingSql('svc.standing')}) = ${seal})`

const settingSql = (setting: string) => `nullif(current_setting('${setting}', true), '')`

export const lockSharedSql = (workspace_id: string) =>
  `pg_advisory_xact_lock_shared(lock_number(named.thing, ${workspace_id}, named.id))`

const shared = write('lock_shared', `select ${lockSharedSql(':workspace_id')} from ${lockTargetsSql}`)
const alone = write(
  'lock_alone',
  `select pg_advisory_xact_lock(lock_number(named.thing, :workspace_id, named.id)) from ${lockTargetsSql}`,
)
