import { CommandError } from '../command-error.ts'
import { namedProfile, profileStore } from '../config.ts'
import { oneLine } from '../one-line.ts'
import { jsonText } from '../operations/output/print-answer.ts'
import type { Profile } from '../profiles/profile.ts'

/** `wbs profiles list`. Throws CommandError. */
export async function listProfiles(json: boolean): Promise<void> {
  const { current, byName } = await profileStore().read()
  const used = namedProfile({}) ?? current
  const shown = [...byName].map(([name, profile]) => ({
    name,
    used: name === used,
    ...withoutSecrets(profile),
  }))
  if (json) return console.log(jsonText(shown, 2))
  if (shown.length === 0) return console.error('There are no profiles. wbs login makes one.')
  const width = Math.max(...shown.map(({ name }) => name.length))
  for (const { name, used: isUsed, url, workspace_id, credential } of shown) {
    const line = `${name.padEnd(width)}  ${url}  ${workspace_id ?? 'no Workspace'}  ${credential.kind.replace('_', ' ')}`
    console.log(`${isUsed ? '*' : ' '} ${oneLine(line)}`)
  }
}

function withoutSecrets({ url, workspace_id, credential }: Profile) {
  const session = credential.kind === 'session' ? credential : null
  return {
    url,
    workspace_id,
    credential: {
      kind: credential.kind,
      issuer: session?.issuer ?? null,
      client_id: session?.client_id ?? null,
      expires_at: session?.expires_at ?? null,
    },
  }
}

/** `wbs profiles use`. Throws CommandError. */
export async function useProfile(name: string): Promise<void> {
  await profileStore().change(async (profiles, save) => {
    if (!profiles.byName.has(name))
      throw new CommandError(
        `There is no profile ${name}. There are: ${[...profiles.byName.keys()].join(', ') || 'none'}.`,
      )
    profiles.current = name
    await save()
  })
  console.log(`Commands now use the profile ${name}.`)
}
