/** The path of the protected resource metadata (RFC 9728), below the base URL. */
export const metadataPath = '/.well-known/oauth-protected-resource'
