import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SystemChange } from '../../call/system-change.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import type { PluginOutcome, Plugins } from '../../plugins/plugin.ts'
import { callPlugin } from '../plugin-call.ts'
import { beginExecution, type ApprovalKey, type Begun } from './begin-execution.ts'
import { endExecution } from './end-execution.ts'
import type { ApprovalToExecute } from './execution-store.ts'

export interface ExecutionParts {
  plugins: Plugins
  change: SystemChange
  /** A clock of the process that never goes back, in milliseconds. */
  elapsed?: () => number
}

/** How long after it was judged an action is still sent, in milliseconds. */
const mostDelay = 10_000

// The process may have been halted meanwhile, and the approval been given up or its people have lost their authority.
const tooLate: PluginOutcome = {
  outcome: 'unreachable',
  detail: 'The service could not send the action in time.',
}

/** How long an app has for an action, in milliseconds; the plugin has a second more to end. */
const timeForAction = 14_000

/** After how many milliseconds the saving of a result is tried again. Nobody else can save it. */
const pausesOfSaving = [200, 1000, 3000, 6000]

/** Carries out an approved action as a job. Throws while somebody else is at it, so that it is looked at again. */
export const executeApproval =
  (parts: ExecutionParts): JobHandlers['execute_approval'] =>
  async (named, { id }) => {
    const begun = await execute(parts, named, id)
    if (begun.sent === 'by another') throw new Error('The action was sent, and its result is not there yet.')
  }

/**
 * Carries out approved actions in the requests that ask for them. Requests for the same one wait for it together. A node that stops
 * begins none, because it might not have the time to save the result; the job of the approval does it on another.
 */
export function createExecute({
  isStopping,
  ...parts
}: ExecutionParts & { isStopping: () => boolean }): (named: ApprovalKey) => Promise<void> {
  const underWay = new Map<string, Promise<unknown>>()
  return async named => {
    if (isStopping()) return
    const key = `${named.workspace_id} ${named.approval_id}`
    const running =
      underWay.get(key) ?? execute(parts, named, randomUUID()).finally(() => underWay.delete(key))
    underWay.set(key, running)
    await running
  }
}

/**
 * Carries out an approved action at most once, whoever else tries: it is sent only after a committed change has said so, and is
 * never sent again after that. `cause_id` is the cause of the events.
 */
async function execute(
  { plugins, change, elapsed = () => performance.now() }: ExecutionParts,
  named: ApprovalKey,
  cause_id: string,
): Promise<Begun> {
  let begun: Begun = { sent: 'not' }
  let judged_at = 0
  await change(named.workspace_id, { id: cause_id }, async tx => {
    const judged = await beginExecution(tx, named)
    judged_at = elapsed()
    begun = judged.begun
    return judged.outcome
  })
  const { sent } = begun as Begun
  if (typeof sent === 'string') return begun
  const outcome = elapsed() - judged_at > mostDelay ? tooLate : await callApp(plugins, sent)
  await untilSaved(() => change(named.workspace_id, { id: cause_id }, tx => endExecution(tx, sent, outcome)))
  return begun
}

/** Sends exactly the arguments that were approved. */
async function callApp(plugins: Plugins, approval: ApprovalToExecute): Promise<PluginOutcome> {
  const plugin = plugins.get(approval.plugin)
  if (!plugin) return { outcome: 'unreachable', detail: 'The service no longer has the plugin.' }
  return callPlugin(
    plugin,
    {
      config: approval.config,
      operation: approval.operation,
      arguments: JSON.parse(approval.arguments) as Record<string, unknown>,
      idempotency_key: approval.approval_id,
    },
    { time: timeForAction },
  )
}

/** Saves a result, and tries again for some seconds while the database cannot take it. */
async function untilSaved(save: () => Promise<void>): Promise<void> {
  for (const milliseconds of pausesOfSaving)
    try {
      return await save()
    } catch {
      await pause(milliseconds)
    }
  return save()
}
