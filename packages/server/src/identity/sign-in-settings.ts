/** How a person signs in at an issuer, for a client that has no secret: the page of invitations, or `wbs login`. */
export interface SignInClient {
  issuer: string
  /** The public client that the operator registered at the issuer. */
  client_id: string
  /** What the client asks for, separated by spaces. */
  scope: string
  /** What else an authorization request needs, so that the access token is for this service. */
  parameters: Readonly<Record<string, string>>
}

/** What is asked for unless the operator says otherwise. */
export const defaultSignInScope = 'openid profile email offline_access'

/**
 * The public clients of issuers.
 *
 * @param ids the client of each issuer, in the same order; `-` or an empty text for none; at the end they may be missing
 * @throws Error with one sentence for the operator, if there are more ids than issuers or a text is not valid
 */
export function signInClients(
  issuers: readonly { issuer: string; audience: string }[],
  ids: readonly string[],
  scope: string,
): SignInClient[] {
  if (ids.length > issuers.length)
    throw new Error(
      `OIDC_CLIENT_IDS has ${ids.length} ids for ${issuers.length} issuers: give one for each of OIDC_ISSUERS, in the same order, and - for an issuer without a public client.`,
    )
  if (!ids.every(id => /^[\x21-\x7e]{0,255}$/.test(id)))
    throw new Error(
      'OIDC_CLIENT_IDS must be client ids without spaces, of at most 255 characters each, separated by commas.',
    )
  // RFC 6749, 3.3.
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope))
    throw new Error('OIDC_SCOPE must be scopes separated by one space each, such as openid profile email.')
  return issuers.flatMap(({ issuer, audience }, at) => {
    const client_id = ids[at] ?? ''
    if (client_id === '' || client_id === '-') return []
    return [{ issuer, client_id, scope, parameters: parametersFor(audience) }]
  })
}

/** RFC 8707 names a service by a URI. Some issuers, such as Auth0, take any name, as `audience`. */
function parametersFor(audience: string): Record<string, string> {
  return { ...(URL.canParse(audience) && { resource: audience }), audience }
}
