import type { AccessFlags } from '../access-flags.ts'
import type { ClientSettings } from '@wbs/sdk'
import { environment, defaultUrl, namedProfile, namedUrl, profileStore } from '../config.ts'
import { oneLine } from '../one-line.ts'
import type { Profile, Profiles, Session } from '../profiles/profile.ts'
import { endSession } from '../sessions/end-session.ts'
import { connectIssuer } from '../sessions/issuer.ts'
import { tokensOf } from '../sessions/tokens.ts'
import { isSameOrigin } from '../sessions/trusted-url.ts'
import { signInByBrowser } from './browser-flow.ts'
import { chooseIssuer } from './choose-issuer.ts'
import { chooseWorkspace, workspaceLine } from './choose-workspace.ts'
import { signInByDevice } from './device-flow.ts'
import { readGivenCredential } from './given-credential.ts'
import { openBrowser } from './open-browser.ts'
import { readServiceMetadata, type SignIn } from './service-metadata.ts'
import { askWho, personOf, type Me } from './who.ts'

export interface LoginFlags extends AccessFlags {
  issuer?: string
  device?: true
  withToken?: true
  withApiKey?: true
}

/** `wbs login`: tells what to do on stderr, and who is signed in on stdout. Throws CommandError. */
export async function logIn(flags: LoginFlags): Promise<void> {
  const store = profileStore()
  const before = await store.read()
  const url = urlFor(flags, before)
  const name = nameFor(url, flags, before)
  const credential = await obtain(url, flags)
  const { me, workspace_id } = await settle(url, credential, flags)
  const replaced = await store.change(async (profiles, save) => {
    const known = profiles.byName.get(name)
    profiles.byName.set(name, { url, workspace_id, credential })
    profiles.current = name
    await save()
    return known
  })
  if (replaced) await endSession(replaced) // it would stay open for weeks, and nothing could end it any more
  console.log(told(url, name, me, workspace_id))
}

/** Whose the credential is, and in which Workspace. A session that nobody will keep is ended. */
async function settle(
  url: string,
  credential: Profile['credential'],
  { workspace }: LoginFlags,
): Promise<{ me: Me; workspace_id: string | null }> {
  const access = accessOf(url, credential)
  try {
    const me = await askWho(access)
    return { me, workspace_id: await chooseWorkspace(access, me, workspace) }
  } catch (error) {
    await endSession({ url, workspace_id: null, credential })
    throw error
  }
}

/** The address that is named, or else that of the profile, or of the one in use. */
function urlFor(flags: AccessFlags, { current, byName }: Profiles): string {
  const named = flags.profile ? (flags.url ? namedUrl(flags) : null) : namedUrl(flags)
  const own = byName.get(namedProfile(flags) ?? '') ?? byName.get(current ?? '')
  return (named ?? own?.url ?? defaultUrl).replace(/\/$/, '')
}

/** The profile that is named, or else the current one; a new one if that is for another service. */
function nameFor(url: string, flags: AccessFlags, { current, byName }: Profiles): string {
  const named = namedProfile(flags)
  if (named !== null) return named
  const candidate = current ?? 'default'
  const known = byName.get(candidate)
  return known === undefined || isSameOrigin(known.url, url)
    ? candidate
    : new URL(url).host.replaceAll(/[^\w.-]+/g, '-').replace(/^-+/, '')
}

async function obtain(url: string, flags: LoginFlags): Promise<Profile['credential']> {
  if (flags.withToken) return readGivenCredential('access_token')
  if (flags.withApiKey) return readGivenCredential('api_key')
  const signIn = await chooseIssuer(url, await readServiceMetadata(url), flags.issuer)
  const { issuer: address, client_id, parameters } = signIn
  const issuer = await connectIssuer(signIn, url)
  console.error(`Signing in at ${oneLine(address)} for ${url}${audienceNote(signIn, url)}.`)
  const tokens = flags.device
    ? await signInByDevice(issuer, signIn, ({ verification_uri, user_code }) =>
        console.error(`Open ${verification_uri} on any device, and enter the code ${user_code}`),
      )
    : await signInByBrowser(issuer, signIn, page => {
        console.error(`Your browser opens this page; if it does not, open it yourself:\n\n${page}\n`)
        console.error('If your browser is on another machine, press Ctrl-C and use wbs login --device.')
        openBrowser(page, environment())
      })
  return { kind: 'session', issuer: address, client_id, parameters, ...tokensOf(tokens) } satisfies Session
}

/** A service can ask for a token for another one, which the person should know. */
function audienceNote({ parameters: { resource, audience } }: SignIn, url: string): string {
  const asked = resource ?? audience
  if (asked === undefined || (URL.canParse(asked) && isSameOrigin(asked, url))) return ''
  return `, with a token for ${oneLine(asked)}`
}

function accessOf(base_url: string, credential: Profile['credential']): ClientSettings {
  return credential.kind === 'api_key'
    ? { base_url, api_key: credential.api_key }
    : { base_url, access_token: credential.access_token }
}

function told(url: string, name: string, me: Me, workspace_id: string | null): string {
  const membership = me.memberships.find(membership => membership.workspace_id === workspace_id)
  const where =
    workspace_id === null
      ? me.memberships.length > 0
        ? 'No Workspace is chosen: name one with --workspace, here or in each command.'
        : 'You are a member of no Workspace. wbs me rooms lists the Rooms to which you were invited; wbs login --workspace ID works in the Workspace of one.'
      : `Workspace: ${membership ? workspaceLine(membership) : oneLine(workspace_id)}`
  return `Signed in to ${url} as ${personOf(me)}, in the profile ${name}.\n${where}`
}
