import type { Operation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { forbiddenForKeys, type Scope } from '@wbs/contract/scopes'
import type { ApiDocument, ApiOperation, SecurityRequirement } from './document.ts'
import { html, joined, type Html } from './html.ts'

/** Who may call an operation: with which credential and permission, and whether guests and visitors may. */
export function callers(operation: ApiOperation, document: ApiDocument): Html {
  const accepted = operation.security ?? document.security
  const permissions = [...new Set(accepted.flatMap(requirement => Object.values(requirement).flat()))]
  const declared = (operations as readonly Operation[]).find(({ name }) => name === operation.operationId)
  return html`<dl class="access">
    <dt>Credential</dt>
    <dd>${credentialWords(accepted)}</dd>
    ${
      permissions.length > 0 &&
      html`<dt>Permission</dt>
        <dd>${permissionWords(permissions)}</dd>`
    }
    ${
      declared &&
      html`<dt>Who may call</dt>
        <dd>${audienceWords(declared)}</dd>`
    }
  </dl>`
}

const schemeWords: Record<string, string> = {
  access_token: 'Access token',
  api_key: 'API key',
}

function credentialWords(accepted: readonly SecurityRequirement[]): string {
  const schemes = accepted
    .flatMap(requirement => Object.keys(requirement))
    .map(name => schemeWords[name] ?? name)
  if (schemes.length === 0) return 'None'
  const optional = accepted.some(requirement => Object.keys(requirement).length === 0)
  return `${[...new Set(schemes)].join(' or ')}${optional ? ', or none' : ''}`
}

const permissionWords = (permissions: readonly string[]): Html =>
  html`${joined(
    permissions.map(permission => html`<code>${permission}</code>`),
    ', ',
  )}${permissions.some(permission => forbiddenForKeys.includes(permission as Scope)) && ', which no API key can have'}`

function audienceWords({ audience, guests, visitors, may_name_workspace, scope }: Operation): string {
  const words = {
    public: 'Everybody. A credential is ignored.',
    anyone: 'Everybody. You may send a credential, and name a Workspace.',
    caller: may_name_workspace
      ? 'Everybody with a credential. You may name a Workspace.'
      : 'Everybody with a credential. No Workspace is needed.',
    user: 'Everybody with an access token, an anonymous one included. No Workspace is needed.',
    signed_in: 'Everybody who has signed in. No Workspace is needed.',
    workspace:
      scope === undefined ? 'Members of the Workspace.' : 'Members of the Workspace with the permission.',
  }
  return [
    words[audience],
    audience === 'workspace' && (guests ? 'Guests of its Rooms too.' : 'Guests may not.'),
    visitors && 'People without an account too, without naming a Workspace.',
  ]
    .filter(Boolean)
    .join(' ')
}
