import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type ClientSettings } from '../../packages/sdk/src/index.ts'

/**
 * Invites somebody, and waits for the job that mails the invitation. Gives the seconds that it took. Throws after a
 * minute. `folders` are the data folders of all nodes: any of them may run the job.
 */
export async function secondsUntilMailed(
  settings: ClientSettings,
  folders: readonly string[],
): Promise<number> {
  const known = mailIn(folders)
  const begun = performance.now()
  const email = `somebody-${Date.now()}@example.com`
  await createClient(settings).createTeamInvitation({ email, role: 'viewer' })
  for (; mailIn(folders) === known; await sleep(50))
    if (performance.now() - begun > 60_000)
      throw new Error('The job of an invitation did not run in a minute.')
  return (performance.now() - begun) / 1000
}

const mailIn = (folders: readonly string[]): number => folders.flatMap(filesOf).length

function filesOf(folder: string): string[] {
  try {
    return readdirSync(join(folder, 'mail'))
  } catch {
    // A node that has sent no mail yet has no such folder.
    return []
  }
}
