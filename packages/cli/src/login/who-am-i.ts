import { findAccess, type FoundAccess } from '../config.ts'
import type { AccessFlags } from '../access-flags.ts'
import { oneLine } from '../one-line.ts'
import { jsonText } from '../operations/output/print-answer.ts'
import { expiryOf } from '../sessions/tokens.ts'
import { workspaceLine } from './choose-workspace.ts'
import { askWho, personOf, type Me } from './who.ts'

export interface WhoFlags extends AccessFlags {
  json?: true
}

/** `wbs whoami`: who the commands are for the service, without secrets. Throws CommandError. */
export async function showWho({ json, ...flags }: WhoFlags): Promise<void> {
  const found = await findAccess(flags)
  const me = await askWho(found.access)
  const expires_at = await expiry(found)
  const { base_url, workspace_id } = found.access
  const workspace = me.memberships.find(membership => membership.workspace_id === workspace_id)
  if (json)
    return console.log(
      jsonText(
        {
          url: base_url,
          user: me.user,
          credential: { ...me.credential, from: sourceOf(found), expires_at },
          workspace_id: workspace_id ?? null,
          memberships: me.memberships,
        },
        2,
      ),
    )
  console.log(
    [
      personOf(me),
      `  service     ${base_url}`,
      `  credential  ${credentialLine(found, me, expires_at)}`,
      `  Workspace   ${workspace ? workspaceLine(workspace) : oneLine(workspace_id ?? 'none chosen')}`,
    ].join('\n'),
  )
}

/** Where a credential was found. */
export const sourceOf = ({ credential }: Pick<FoundAccess, 'credential'>): string =>
  typeof credential === 'string' ? credential : `profile ${credential.profile}`

const sources = { environment: 'from the environment', quickstart: 'of the quickstart file' }

function credentialLine({ credential }: FoundAccess, me: Me, expires_at: string | null): string {
  const from = typeof credential === 'string' ? sources[credential] : `of the profile ${credential.profile}`
  const known = typeof credential === 'string' ? null : credential.known.credential
  const session = known?.kind === 'session' ? known : null
  const kind = me.credential.kind === 'api_key' ? 'API key' : 'access token'
  const issuer = session ? ` of ${oneLine(session.issuer)}` : ''
  const end = expires_at === null ? '' : `, until ${expires_at}`
  return `${kind}${issuer} ${from}${end}${session?.refresh_token ? ', renewed by itself' : ''}`
}

/** When the access token that was just used expires. */
async function expiry({ access }: FoundAccess): Promise<string | null> {
  const { access_token } = access
  const token = typeof access_token === 'function' ? await access_token() : access_token
  return token === undefined ? null : expiryOf(token)
}
