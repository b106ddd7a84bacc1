import { createClient, type Client, type List } from '@wbs/sdk'
import { CommandError } from '../command-error.ts'
import { readWorkspaceAccess } from '../config.ts'
import type { AccessFlags } from '../access-flags.ts'
import { failureInWords } from '../failure-in-words.ts'

export type Column = List['columns'][number]

/** A List that a command works on, and how it is reached. */
export interface ListTarget {
  client: Client
  list: List
  signal: AbortSignal
}

/** How often a request is sent while the service restarts or limits requests: for two to three minutes. */
const patience = 30

/** Reads the List. Throws CommandError if it cannot be read. */
export async function openTarget(
  list_id: string,
  flags: AccessFlags,
  signal: AbortSignal,
): Promise<ListTarget> {
  const access = await readWorkspaceAccess(flags)
  try {
    // At first without patience, so that a wrong address is reported at once.
    const { data: list } = await createClient(access).getList({ list_id }, { signal })
    return { client: createClient({ ...access, attempts: patience }), list, signal }
  } catch (error) {
    if (signal.aborted) throw error
    throw new CommandError(
      `The List ${list_id} cannot be read at ${access.base_url}: ${failureInWords(error)}.`,
    )
  }
}
