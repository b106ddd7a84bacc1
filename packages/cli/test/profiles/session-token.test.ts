import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { CommandError } from '../../src/command-error.ts'
import { openProfileStore } from '../../src/profiles/profile-store.ts'
import type { Session } from '../../src/profiles/profile.ts'
import { sessionToken } from '../../src/sessions/session-token.ts'
import { tokensOf, type Tokens } from '../../src/sessions/tokens.ts'

const url = 'https://one.example'
const session = (access_token: string, seconds: number): Session => ({
  kind: 'session',
  issuer: 'https://issuer.example',
  client_id: 'wbs',
  parameters: {},
  access_token,
  expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
  refresh_token: 'refresh',
})

/** The token that a run goes on with after its own has expired and its profile is for a service. */
async function tokenAfter(now: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-profiles-'))
  try {
    const store = openProfileStore(folder)
    const token = sessionToken(store, 'default', { url, session: session('old', -1) })
    await store.change(async ({ byName }, save) => {
      byName.set('default', { url: now, workspace_id: null, credential: session('new', 3600) })
      await save()
    })
    return await token()
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the token of a session', () => {
  it('is that which another command has renewed meanwhile', async () => {
    assert.equal(await tokenAfter(url), 'new')
  })

  it('is not that of another service, for which the same profile was signed in meanwhile', async () => {
    await assert.rejects(
      tokenAfter('https://two.example'),
      error => error instanceof CommandError && /has been changed or removed meanwhile/.test(error.message),
    )
  })

  it('expires at no known time if the issuer names one that no date has', () => {
    const tokens = { access_token: 'a', expiresIn: () => 1e300 } as Tokens
    assert.equal(tokensOf(tokens).expires_at, null)
  })
})
