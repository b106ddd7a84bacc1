import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'

import { createDevelopmentProvider } from '../../src/identity/development/provider.ts'
import { sampleUsers } from '../../src/identity/development/sample-users.ts'
import { loadSigningKey } from '../../src/identity/development/signing-keys.ts'
import { recordingLog } from './clock-and-log.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wbs-identity-keys-'))
  file = join(folder, 'identity', 'keys.json')
})
afterEach(() => rm(folder, { recursive: true }))

test('the key is made on first use, for the owner’s eyes alone, with nothing left beside it', async () => {
  await loadSigningKey(file)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(join(folder, 'identity')), ['keys.json'])
})

test('a token made before a restart is good after it', async () => {
  const setup = {
    issuer: 'http://127.0.0.1:8080/identity',
    audience: 'https://api.test',
    keyFile: file,
    log: recordingLog(),
  }
  const [owner] = sampleUsers
  assert.ok(owner)
  const token = await (await createDevelopmentProvider(setup)).mintAccessToken(owner)
  const restarted = await createDevelopmentProvider(setup)
  const [, payload = ''] = token.split('.')
  const again = await restarted.mintAccessToken(owner)
  assert.equal(again.split('.')[0], token.split('.')[0], 'the same key id')
  const { createLocalJWKSet, jwtVerify } = await import('jose')
  const { kty, n, e, kid, alg } = await loadSigningKey(file)
  const verified = await jwtVerify(token, createLocalJWKSet({ keys: [{ kty, n, e, kid, alg }] }))
  assert.deepEqual(verified.payload, JSON.parse(Buffer.from(payload, 'base64url').toString()))
})

test('services started at once on one folder share one key', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => loadSigningKey(file)))
  assert.equal(new Set(keys.map(key => key.kid)).size, 1)
  assert.deepEqual(await readdir(join(folder, 'identity')), ['keys.json'])
})

test('a file others could read is closed to them', async () => {
  await loadSigningKey(file)
  const text = await readFile(file, 'utf8')
  await rm(file)
  await writeFile(file, text, { mode: 0o644 })
  await loadSigningKey(file)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('a file that holds no such key is an error, and is left as it is', async () => {
  const faults = [
    '',
    'not json',
    'null',
    '[]',
    '{}',
    '{"keys":[]}',
    '{"keys":[{"kty":"RSA","alg":"RS256","kid":"a","n":"a","e":"AQAB"}]}',
    '{"keys":[{"kty":"EC","alg":"ES256","kid":"a","d":"a"}]}',
  ]
  const path = join(folder, 'keys.json')
  for (const text of faults) {
    await writeFile(path, text)
    await assert.rejects(
      loadSigningKey(path),
      /does not hold a private RS256 key: put it back as it was, or remove it/,
    )
    assert.equal(await readFile(path, 'utf8'), text)
  }
})
