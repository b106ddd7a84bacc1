import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

import { UnusableKey } from './unusable-key.ts'

/** The private key that the provider signs with. RS256, because OpenID Connect requires every client to support it. */
export interface SigningKey extends JWK {
  kty: 'RSA'
  alg: 'RS256'
  kid: string
  n: string
  e: string
  d: string
}

/** The part of a signing key that everybody may have. */
export const publicKey = ({ kty, alg, kid, n, e }: SigningKey): JWK => ({ kty, alg, kid, n, e, use: 'sig' })

/**
 * Reads the provider's signing key from `file`, creating it if there is none. It is kept so that tokens survive a
 * restart.
 *
 * Two services that start at once on one folder get the same key: the file appears complete or not at all, and the
 * first one stays.
 *
 * @throws UnusableKey if the file is not a private key set; it is never replaced
 */
export async function loadSigningKey(file: string): Promise<SigningKey> {
  const text = (await readIfThere(file)) ?? (await create(file))
  await closeToOthers(file)
  return readKey(text, file)
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    if (hasCode(error, 'EISDIR')) throw unusable(file)
    throw error
  }
}

async function create(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}.new`
  try {
    await write(draft, JSON.stringify({ keys: [await newKey()] }, null, 2))
    await linkOrRename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' }
}

async function write(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Unlike a rename, a link does not replace a file that another process has created meanwhile. */
async function linkOrRename(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return
    // Some mounted folders do not support links.
    await rename(draft, file)
  }
}

async function closeToOthers(file: string): Promise<void> {
  if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600)
}

function readKey(text: string, file: string): SigningKey {
  const key = firstKey(text)
  if (!isSigningKey(key)) {
    throw unusable(file)
  }
  return key
}

const unusable = (file: string) =>
  new UnusableKey(
    `The file ${file} does not hold a private RS256 key: put it back as it was, or remove it to have a new one made.`,
  )

function firstKey(text: string): Partial<SigningKey> | undefined {
  try {
    return JSON.parse(text)?.keys?.[0]
  } catch {
    return undefined
  }
}

function isSigningKey(key: Partial<SigningKey> | undefined): key is SigningKey {
  const parts = [key?.kid, key?.n, key?.e, key?.d]
  return key?.kty === 'RSA' && key.alg === 'RS256' && parts.every(part => typeof part === 'string')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
