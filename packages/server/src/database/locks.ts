import { write } from './statement.ts'
import type { Transaction } from './connections/writer.ts'

/**
 * What is locked, for the rest of a transaction, by a lock of PostgreSQL's lock manager. Such locks are given in the order
 * in which they were asked for: many who share one cannot keep out somebody who wants it alone, as they can with a row lock
 * that is shared (docs/decisions/0012-authority.md). Whoever takes several takes them in this order.
 */
export type Lockable =
  /** Who belongs to a Workspace: its changes run one after the other. */
  | 'team'
  /** A Workspace as a whole: every change in it shares this. */
  | 'workspace'
  /** What somebody may do in a Workspace, by their user id: every change that they make there shares this. */
  | 'member'
  /** What an API key may do: every change that it makes shares this. */
  | 'api_key'
  /** A Room: changes of its sub-rooms share this. */
  | 'room'
  /** What a Workspace may do with a Business: every change that it makes of the Business shares this. */
  | 'business_link'
  /** A Business: links that rely on its being published share this. */
  | 'business'
  /** What events of the service's own follow from: attempts at one job take turns. */
  | 'cause'

type LockTarget = readonly [thing: Lockable, id: string]

/** Things of a Workspace, or of none, that are locked against those who want one of them alone. */
export interface SharedLocks {
  workspace_id: string | null
  targets: readonly LockTarget[]
}

/** Locks things of a Workspace, or of none, against those who want one of them alone. */
export const lockShared = (tx: Transaction, workspace_id: string | null, targets: readonly LockTarget[]) =>
  tx.run(shared, lockValues(workspace_id, targets))

/** Locks things of a Workspace, or of none, against everybody else who locks them. */
export const lockExclusive = (tx: Transaction, workspace_id: string | null, targets: readonly LockTarget[]) =>
  tx.run(alone, lockValues(workspace_id, targets))

/** What a statement that locks is given: the Workspace, and the things as the two values of `namedThings`. */
export const lockValues = (workspace_id: string | null, targets: readonly LockTarget[]) => [
  workspace_id,
  targets.map(([thing]) => thing),
  targets.map(([, id]) => id),
]

export const lockableRowsSql = (things: string, ids: string) =>
  `unnest(${things}::text[], ${ids}::text[]) as named (thing, id)`

/** Notes that the transaction repeats a command, or may: another has its key. */
export const markReplaySql = (repeats: boolean) =>
  `set_config('svc.repeats', '${repeats ? 'yes' : ''}', true)`

/**
 * Whether a statement may lock for the standing that has this seal: it is the standing that this transaction has judged,
 * and the transaction repeats no command. A statement that was sent ahead may find that neither is so.
 */
export const mayLockForSql = (seal: string) => `(
  coalesce(current_setting('svc.repeats', true), '') = ''
  and concat_ws(' ', ${settingSql('svc.key')}, ${settingSql('svc.standing')}) = ${seal})`

const settingSql = (setting: string) => `nullif(current_setting('${setting}', true), '')`

const lockNumberSql = (workspace_id: string) => `lock_number(named.thing, ${workspace_id}, named.id)`
export const lockSharedSql = (workspace_id: string) =>
  `pg_advisory_xact_lock_shared(${lockNumberSql(workspace_id)})`

const shared = write('lock_shared', `select ${lockSharedSql('$1')} from ${lockableRowsSql('$2', '$3')}`)
const alone = write(
  'lock_alone',
  `select pg_advisory_xact_lock(${lockNumberSql('$1')}) from ${lockableRowsSql('$2', '$3')}`,
)
