import { createHmac, timingSafeEqual } from 'node:crypto'
import { derivedKey } from '../../identity/derived-key.ts'
import type { UrlHolder } from '../../call/authority/url-holder.ts'

/** What a link to download leads to, and who asked for it. */
export interface DownloadLink extends UrlHolder {
  /** Names the link itself, so that it can be used once only. */
  link_id: string
  file_id: string
  file_version_id: string
  /** In milliseconds since 1970. */
  expires_at: number
}

/** Writes links as tokens, and reads them back. A token contains the link and a keyed hash; nothing is stored. */
export interface DownloadTokens {
  write(link: DownloadLink): string
  /** Null if the token was not written by this service, or was altered. */
  read(token: string): DownloadLink | null
}

export function createDownloadTokens(secret: Buffer): DownloadTokens {
  const key = derivedKey(secret, 'workspace business service: download links')
  const hashOf = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    write(link) {
      const text = Buffer.from(JSON.stringify(link)).toString('base64url')
      return `${text}.${hashOf(text).toString('base64url')}`
    },
    read(token) {
      const [, text, hash] = /^([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
      if (!text || !hash || !timingSafeEqual(hashOf(text), Buffer.from(hash, 'base64url'))) return null
      return JSON.parse(Buffer.from(text, 'base64url').toString()) as DownloadLink
    },
  }
}
