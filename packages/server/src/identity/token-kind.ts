import type { JWTPayload } from 'jose'

/** Claims that OpenID Connect puts in ID tokens or logout tokens, and no issuer puts in access tokens. */
const foreignClaims = ['at_hash', 'c_hash', 's_hash', 'events']

/**
 * Whether a token's `typ` header is one access tokens come with: RFC 9068's `at+jwt`; `JWT`, which Auth0 (by
 * default), Entra and Keycloak write; or none, as from Cognito and Okta.
 */
export function isAccessTokenType(typ: unknown): boolean {
  return typ === undefined || ['at+jwt', 'jwt'].includes(plain(typ))
}

/**
 * Whether a verified token was issued to show to an API on behalf of a signed-in person.
 *
 * `at+jwt` says so itself. The other issuers' ID tokens carry the same header, so they are told apart by what each
 * issuer marks them with. Refused as well: tokens bound to a key (`cnf`), since taking one as a bearer token would
 * undo the binding, and tokens a program got for itself, for which there are API keys.
 */
export function isUserAccessToken(typ: unknown, claims: JWTPayload): boolean {
  if (claims['cnf'] !== undefined || isForProgram(claims)) return false
  if (typ !== undefined && plain(typ) === 'at+jwt') return true
  // Keycloak writes the kind as a claim: Bearer, ID, Refresh, Logout. Its Bearer tokens may have a nonce.
  if (claims['typ'] !== undefined) return plain(claims['typ']) === 'bearer'
  // Cognito: access, id.
  if (claims['token_use'] !== undefined) return claims['token_use'] === 'access'
  if (foreignClaims.some(name => claims[name] !== undefined)) return false
  // A nonce answers a sign-in. Entra (it alone has `tid`) marks its ID tokens only by their lack of a scope.
  const signIn = claims['nonce'] !== undefined || claims['tid'] !== undefined
  return !signIn || claims['scope'] !== undefined || claims['scp'] !== undefined
}

/** The client a token was issued to: RFC 9068, most others, Entra's first version, Okta. */
export function clientIdOf(claims: JWTPayload): string | null {
  const id = claims['client_id'] ?? claims['azp'] ?? claims['appid'] ?? claims['cid']
  return typeof id === 'string' && id !== '' && id.length <= 2048 ? id : null
}

/** RFC 9068 has programs as their own subject; Auth0 says it in a claim. (Entra gives them no scope.) */
function isForProgram(claims: JWTPayload): boolean {
  if (claims['gty'] === 'client-credentials') return true
  return typeof claims.sub === 'string' && claims.sub === clientIdOf(claims)
}

function plain(type: unknown): string {
  return typeof type === 'string' ? type.toLowerCase().replace(/^application\//, '') : ''
}
