import { createClient, type ClientSettings } from '@wbs/sdk'
import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import { failureInWords } from '../failure-in-words.ts'
import { choose } from './choose.ts'
import { activeMemberships, type Me, type Membership } from './who.ts'

/**
 * The Workspace that a profile works in: the one that is named, the only one, or one that somebody chooses. Null if there
 * is none or nobody to ask. Throws CommandError if the named one is out of reach.
 */
export async function chooseWorkspace(
  access: ClientSettings,
  me: Me,
  named: string | undefined,
): Promise<string | null> {
  const memberships = activeMemberships(me)
  if (named !== undefined) {
    if (!memberships.some(({ workspace_id }) => workspace_id === named)) await requireStanding(access, named)
    return named
  }
  const [first, ...others] = memberships
  if (first === undefined || others.length === 0) return first?.workspace_id ?? null
  const at = await choose('In which Workspace do you work?', memberships.map(workspaceLine))
  return at === null ? null : (memberships[at]?.workspace_id ?? null)
}

/** A Workspace with its id, in one line. */
export const workspaceLine = ({ workspace_name, workspace_id, role }: Membership): string =>
  oneLine(`${workspace_name} (${workspace_id}), ${role}`)

/** Guests of a Room are no members, and can still work in its Workspace. */
async function requireStanding(access: ClientSettings, workspace_id: string): Promise<void> {
  try {
    await createClient(access).listRooms({ limit: 1 }, { workspace_id })
  } catch (error) {
    throw new CommandError(
      `You cannot work in the Workspace ${oneLine(workspace_id)}: ${failureInWords(error)}.`,
    )
  }
}
