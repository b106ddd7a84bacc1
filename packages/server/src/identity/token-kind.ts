import type { JWTPayload } from 'jose'

/** Claims that OpenID Connect defines for ID tokens or logout tokens, and that no issuer puts into access tokens. */
const foreignClaims = ['at_hash', 'c_hash', 's_hash', 'events']

/**
 * Whether a token's `typ` header is that of an access token: RFC 9068's `at+jwt`; `JWT`, as from Auth0 (by default),
 * Entra and Keycloak; or none, as from Cognito and Okta.
 */
export function isAccessTokenType(typ: unknown): boolean {
  return typ === undefined || ['at+jwt', 'jwt'].includes(plain(typ))
}

/**
 * Whether a verified token is an access token of a signed-in person, for use with an API.
 *
 * `at+jwt` states this itself. ID tokens of the other issuers have the same header, so they are recognized by the marks
 * of each issuer. Also refused are tokens bound to a key (`cnf`), because accepting one as a bearer token would undo
 * the binding, and tokens that a program obtained for itself, for which there are API keys.
 */
export function isUserAccessToken(typ: unknown, claims: JWTPayload): boolean {
  if (claims['cnf'] !== undefined || isForProgram(claims)) return false
  if (typ !== undefined && plain(typ) === 'at+jwt') return true
  // Keycloak has the kind in a claim: Bearer, ID, Refresh, Logout. Its Bearer tokens may have a nonce.
  if (claims['typ'] !== undefined) return plain(claims['typ']) === 'bearer'
  // Cognito: access, id.
  if (claims['token_use'] !== undefined) return claims['token_use'] === 'access'
  if (foreignClaims.some(name => claims[name] !== undefined)) return false
  // A nonce belongs to a sign-in. Entra (the only one with `tid`) distinguishes its ID tokens only by the lack of a
  // scope.
  const signIn = claims['nonce'] !== undefined || claims['tid'] !== undefined
  return !signIn || claims['scope'] !== undefined || claims['scp'] !== undefined
}

/** The client a token was issued to: RFC 9068, most others, Entra's v1, Okta. */
export function clientIdOf(claims: JWTPayload): string | null {
  const id = claims['client_id'] ?? claims['azp'] ?? claims['appid'] ?? claims['cid']
  return typeof id === 'string' && id !== '' && id.length <= 2048 ? id : null
}

/** In RFC 9068 a program is its own subject; Auth0 has a claim for it. (Entra gives programs no scope.) */
function isForProgram(claims: JWTPayload): boolean {
  if (claims['gty'] === 'client-credentials') return true
  return typeof claims.sub === 'string' && claims.sub === clientIdOf(claims)
}

function plain(type: unknown): string {
  return typeof type === 'string' ? type.toLowerCase().replace(/^application\//, '') : ''
}
