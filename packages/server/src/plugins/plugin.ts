import type { ConnectionKind } from '@wbs/contract/connections/connections'

/** One fault of a plugin's settings or arguments: where, as a JSON pointer within them, and what would be right. */
export interface PluginFault {
  pointer: string
  detail: string
}

/** What an operation of a plugin does to the app: only `changes` can require approval by default. */
export type Effect = 'reads' | 'changes'

/** An operation of a plugin. */
export interface PluginOperation {
  effect: Effect
  /** What is wrong with the arguments; empty if nothing is. */
  faultsOf(args: Readonly<Record<string, unknown>>): PluginFault[]
  /** What the operation would do with valid arguments, in one line of at most 200 characters, for the person who approves it. */
  summaryOf(config: Readonly<Record<string, unknown>>, args: Readonly<Record<string, unknown>>): string
}

/** One call of an operation. */
export interface PluginCall {
  /** Settings that `settle` returned. */
  config: Readonly<Record<string, unknown>>
  operation: string
  arguments: Readonly<Record<string, unknown>>
  /** The same for every attempt at the same action: the app carries it out at most once. Null for reads. */
  idempotency_key: string | null
  signal: AbortSignal
}

/**
 * What came of a call.
 * - `succeeded`: `output` is JSON of at most 64 KiB.
 * - `refused`: the app answered that it did not do it.
 * - `access_refused`: the app refuses the connection as such; it must be reconnected.
 * - `unreachable`: the call certainly did not reach the app.
 * - `invalid_answer`: the app answered something that is no valid output. It may have carried out the operation.
 * - `outcome_unknown`: the call was sent, and no answer came.
 * `detail` is a sentence for people, without anything of the app's answer.
 */
export type PluginOutcome =
  | { outcome: 'succeeded'; output: unknown }
  | {
      outcome: 'refused' | 'access_refused' | 'unreachable' | 'invalid_answer' | 'outcome_unknown'
      detail: string
      output?: unknown
    }

/** Reaches one kind of app for the connections that Rooms share. docs/guides/plugins.md says how to write one. */
export interface Plugin {
  /** Its name in a connection, such as http_json. */
  name: string
  kind: ConnectionKind
  operations: Readonly<Record<string, PluginOperation>>
  /** Checks the settings of a new connection, and says where its app is. It must not contain secrets. */
  settle(
    config: Readonly<Record<string, unknown>>,
  ): { config: Record<string, unknown>; origin: string } | { faults: PluginFault[] }
  /** Runs an operation. It never throws, and ends soon after the signal is aborted. */
  call(call: PluginCall): Promise<PluginOutcome>
}

/** The plugins of a service, by name. */
export type Plugins = ReadonlyMap<string, Plugin>
