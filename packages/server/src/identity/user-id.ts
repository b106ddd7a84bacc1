import { createHash } from 'node:crypto'

/**
 * The stable id of a user: a UUID of version 8 (RFC 9562).
 *
 * Nothing is looked up or stored: the same pair gives the same id on every node, for ever, and two pairs share one only
 * if SHA-256 collides in 122 bits. The length of the namespace in bytes goes first, so that no two pairs have the same
 * encoding ("ab" + "c", "a" + "bc"). Case matters. Changing this function orphans every membership.
 *
 * @param namespace the issuer's exact URL, or the name configured in its place
 * @param subject the token's `sub`
 */
export function userId(namespace: string, subject: string): string {
  const digest = createHash('sha256')
    .update(`${Buffer.byteLength(namespace)}:${namespace}${subject}`)
    .digest()
    .subarray(0, 16)
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The stable id of a client that an issuer identifies by a name or URL, computed like a user's. */
export const clientId = (issuer: string, client: string): string => userId(`client of ${issuer}`, client)
