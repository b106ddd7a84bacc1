import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientSettings } from '@wbs/sdk'
import type { AccessFlags } from './access-flags.ts'
import { CommandError } from './command-error.ts'
import { checkProfileName, type Profile, type Profiles } from './profiles/profile.ts'
import { openProfileStore, type ProfileStore } from './profiles/profile-store.ts'
import { settingsFolder } from './profiles/settings-folder.ts'
import { sessionToken } from './sessions/session-token.ts'
import { isSameOrigin } from './sessions/trusted-url.ts'

/** How a command reaches a running service: its settings of the client, with one credential. */
export type ServiceAccess = ClientSettings

/** The same, and where it was found. */
export interface FoundAccess {
  access: ServiceAccess
  credential: 'environment' | 'quickstart' | { profile: string; known: Profile }
}

/** The address at which a service listens if nothing else is set. */
export const defaultUrl = 'http://127.0.0.1:8080'

/**
 * Reads how to reach the service: from the flags, from WBS_URL, WBS_WORKSPACE and WBS_TOKEN or WBS_API_KEY, from a
 * profile, and otherwise from the quickstart file of a service for development. Throws CommandError.
 */
export async function readAccess(flags: AccessFlags): Promise<ServiceAccess> {
  return (await findAccess(flags)).access
}

/** As `readAccess`, for operations that need a Workspace. */
export async function readWorkspaceAccess(
  flags: AccessFlags,
): Promise<ServiceAccess & { workspace_id: string }> {
  const { workspace_id, ...access } = await readAccess(flags)
  if (workspace_id) return { ...access, workspace_id }
  throw new CommandError('Name the Workspace by --workspace or WBS_WORKSPACE, or choose one with wbs login.')
}

/** The proxy that the environment names for an address, without its password, and whether Node is told to use it. */
export function proxySettings(url: string): { proxy: string | null; isUsed: boolean } {
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy, NODE_USE_ENV_PROXY } = process.env
  const secure = HTTPS_PROXY || https_proxy
  const named = new URL(url).protocol === 'https:' ? secure : HTTP_PROXY || http_proxy
  return { proxy: named ? (URL.parse(named)?.host ?? 'not a URL') : null, isUsed: NODE_USE_ENV_PROXY === '1' }
}

export const profileStore = (): ProfileStore => openProfileStore(settingsFolder(process.env))

/** The profile that is named, by the flag or by WBS_PROFILE. Throws CommandError. */
export function namedProfile(flags: AccessFlags): string | null {
  const name = flags.profile || process.env.WBS_PROFILE
  return name ? checkProfileName(name) : null
}

/** The address that the flag or WBS_URL names, or null. Throws CommandError. */
export const namedUrl = (flags: AccessFlags): string | null => checkUrl(flags.url || process.env.WBS_URL)

const noProfiles: Profiles = { current: null, byName: new Map() }

/** As `readAccess`. Throws CommandError. */
export async function findAccess(flags: AccessFlags): Promise<FoundAccess> {
  const { WBS_TOKEN, WBS_API_KEY, WBS_WORKSPACE, SVC_DATA_DIR } = process.env
  if (WBS_TOKEN && WBS_API_KEY) throw new CommandError('Set WBS_TOKEN or WBS_API_KEY, not both.')
  // A flag wins over the environment.
  const isFlag = Boolean(flags.profile)
  const url = checkUrl(flags.url || (isFlag ? undefined : process.env.WBS_URL))
  const isGiven = !isFlag && Boolean(WBS_TOKEN || WBS_API_KEY)
  const store = profileStore()
  // A credential and an address from outside need no profile, not even a readable file of profiles.
  const profiles = isGiven && url ? noProfiles : await store.read()
  const chosen = isGiven && url ? null : chosenProfile(profiles, flags)
  const isOwn = chosen !== null && (url === null || isSameOrigin(url, chosen.known.url))
  const workspace_id =
    flags.workspace ||
    (isFlag ? undefined : WBS_WORKSPACE) ||
    (isOwn ? chosen.known.workspace_id : null) ||
    undefined
  const base = { base_url: url ?? chosen?.known.url ?? defaultUrl, ...(workspace_id && { workspace_id }) }
  if (isGiven)
    return {
      access: { ...base, ...(WBS_TOKEN ? { access_token: WBS_TOKEN } : { api_key: WBS_API_KEY as string }) },
      credential: 'environment',
    }
  if (isOwn) return { access: { ...base, ...credentialOf(store, chosen) }, credential: chosen }
  const quickstart = await quickstartAccess(
    join(SVC_DATA_DIR || '.data', 'quickstart.json'),
    url,
    workspace_id,
  )
  if (quickstart && !namedProfile(flags)) return { access: quickstart, credential: 'quickstart' }
  throw new CommandError(noCredential(url, chosen, profiles))
}

/** A credential is sent to no other service than that of its profile. */
function noCredential(
  url: string | null,
  chosen: { profile: string; known: Profile } | null,
  { byName }: Profiles,
): string {
  if (chosen)
    return `The profile ${chosen.profile} is for ${chosen.known.url}, not for ${url}. Name another one by --profile, or sign in: wbs login --url ${url}`
  const others =
    byName.size > 0
      ? ` Or choose a profile with --profile or wbs profiles use: ${[...byName.keys()].join(', ')}.`
      : ''
  return `There is no credential: sign in with wbs login, or set WBS_TOKEN to an access token or WBS_API_KEY to an API key.${others}`
}

function chosenProfile(
  { current, byName }: Profiles,
  flags: AccessFlags,
): { profile: string; known: Profile } | null {
  const named = namedProfile(flags)
  const profile = named ?? current
  const known = profile === null ? undefined : byName.get(profile)
  if (profile !== null && known) return { profile, known }
  if (named === null) return null
  throw new CommandError(`There is no profile ${named}. wbs login --profile ${named} makes it.`)
}

function credentialOf(
  store: ProfileStore,
  { profile, known }: { profile: string; known: Profile },
): Pick<ServiceAccess, 'access_token' | 'api_key'> {
  const { url, credential } = known
  if (credential.kind === 'api_key') return { api_key: credential.api_key }
  if (credential.kind === 'access_token') return { access_token: credential.access_token }
  return { access_token: sessionToken(store, profile, { url, session: credential }) }
}

/** Checks an address of a service. Throws CommandError. */
function checkUrl(text: string | undefined): string | null {
  if (!text) return null
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw new CommandError('--url or WBS_URL must be the address of the service: https://api.example.com.')
  return text
}

/** The key of the quickstart file is sent to no other service than its own. */
async function quickstartAccess(
  file: string,
  url: string | null,
  workspace_id: string | undefined,
): Promise<ServiceAccess | null> {
  const known = await readQuickstart(file)
  if (!known || (url && new URL(url).origin !== new URL(known.base_url).origin)) return null
  return {
    base_url: url ?? known.base_url,
    workspace_id: workspace_id ?? known.workspace_id,
    api_key: known.api_key.secret,
  }
}

interface Quickstart {
  base_url: string
  workspace_id: string
  api_key: { secret: string }
}

async function readQuickstart(file: string): Promise<Quickstart | null> {
  try {
    const { base_url, workspace_id, api_key } = JSON.parse(
      await readFile(file, 'utf8'),
    ) as Partial<Quickstart>
    const isWhole = URL.canParse(base_url ?? '') && workspace_id && api_key?.secret
    return isWhole ? { base_url: base_url as string, workspace_id, api_key } : null
  } catch {
    return null
  }
}

/** The environment, for what it says beside how the service is reached. */
export const environment = (): Readonly<Record<string, string | undefined>> => process.env
