import { createHash, randomBytes } from 'node:crypto'

/** The secret with which a visitor reads a valuation, and a Workspace claims it: clm_ and 256 random bits. */
export const newClaimToken = (): string => `clm_${randomBytes(32).toString('base64url')}`

/** The digest by which a token is found. The token itself is stored nowhere. Null stands for no token, and fits nothing. */
export const claimDigest = (token: string | null): Buffer =>
  createHash('sha256')
    .update(token ?? '')
    .digest()
