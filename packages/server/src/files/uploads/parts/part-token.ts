import { createHmac, timingSafeEqual } from 'node:crypto'
import { derivedKey } from '../../../identity/derived-key.ts'
import type { UrlHolder } from '../../../call/authority/url-holder.ts'

/** What the URL of a part allows: one part of one upload, sent for one person until it expires. */
export interface PartGrant extends UrlHolder {
  upload_id: string
  part_number: number
  size_bytes: number
  /** In milliseconds since 1970. */
  expires: number
}

/** Signs what URLs of parts allow. The signature is valid on every node, because they share the secret. */
export interface PartSignatures {
  sign(grant: PartGrant): string
  verifies(grant: PartGrant, signature: string): boolean
}

export function createPartSignatures(secret: Buffer): PartSignatures {
  const key = derivedKey(secret, 'workspace business service: part urls')
  const digestOf = (grant: PartGrant) => createHmac('sha256', key).update(textOf(grant)).digest()
  return {
    sign: grant => digestOf(grant).toString('base64url'),
    verifies(grant, signature) {
      const given = Buffer.from(signature, 'base64url')
      return given.length === 32 && timingSafeEqual(given, digestOf(grant))
    },
  }
}

/** JSON keeps the fields apart, whatever they contain. */
const textOf = (grant: PartGrant): string =>
  JSON.stringify([
    'PUT',
    grant.workspace_id,
    grant.upload_id,
    grant.part_number,
    grant.size_bytes,
    grant.user_id,
    grant.key_id,
    grant.expires,
  ])

/** The path and query of the URL of a part. */
export function partPath(grant: PartGrant, signature: string): string {
  const { workspace_id, upload_id, part_number, user_id, key_id, expires } = grant
  const query = new URLSearchParams({
    workspace: workspace_id,
    user: user_id,
    ...(key_id !== null && { key: key_id }),
    expires: String(expires),
    signature,
  })
  return `/v1/uploads/${upload_id}/parts/${part_number}?${query.toString()}`
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const uploadId = /^upl_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Reads the URL of a part, without its size, which the upload has. Null if it has another form. */
export function readPartUrl({
  upload_id,
  part_number,
  query,
}: {
  upload_id: string
  part_number: string
  query: URLSearchParams
}): { grant: Omit<PartGrant, 'size_bytes'>; signature: string } | null {
  const [workspace_id, user_id, key_id] = ['workspace', 'user', 'key'].map(name => query.get(name))
  const [expires, signature] = ['expires', 'signature'].map(name => query.get(name))
  const isWhole = isUuid(workspace_id) && isUuid(user_id) && (key_id === null || isUuid(key_id))
  if (!isWhole || !uploadId.test(upload_id) || !/^[1-9]\d{0,4}$/.test(part_number)) return null
  if (!expires || !signature || !/^\d{1,15}$/.test(expires)) return null
  const numbers = { part_number: Number(part_number), expires: Number(expires) }
  return { grant: { workspace_id, upload_id, user_id, key_id, ...numbers }, signature }
}

const isUuid = (text: string | null | undefined): text is string =>
  typeof text === 'string' && uuid.test(text)
