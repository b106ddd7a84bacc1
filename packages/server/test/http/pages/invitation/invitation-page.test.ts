import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { signInClients } from '../../../../src/identity/sign-in-settings.ts'
import { insertInvitations } from '../../../harness/invitations.ts'
import { startTestService } from '../../../harness/service.ts'
import {
  someAddress,
  startInvitationWorld,
  type InvitationWorld,
} from '../../../workspaces/team-invitations/invitation-world.ts'
import { browsing, fact, says, skip } from './invitation-browser.ts'
import { startRealIssuer, type RealIssuer } from './real-issuer.ts'

/** A service without a public client: it shows invitations, and nobody signs in on its page. */
let world: InvitationWorld
let issuer: RealIssuer
before(async () => {
  issuer = await startRealIssuer()
  world = await startInvitationWorld()
})
after(async () => {
  await world.service.close()
  await issuer.close()
})

const signIn = () => signInClients([issuer], ['the-page'], 'openid offline_access')
const open = (page: Page, token: string) =>
  page.goto(`${world.service.base_url}/invitations${token === '' ? '' : `#token=${token}`}`)
const hashOf = (text: string, algorithm = 'sha256') =>
  `${algorithm}-${createHash(algorithm).update(text).digest('base64')}`

describe('GET /invitations', () => {
  it('is the same page for everybody, and runs and loads nothing but its own', async () => {
    const { status, headers, text } = await world.service.request('/invitations?code=x')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    const inside = (tag: string, type = '') =>
      new RegExp(`<${tag}${type}>([^]*?)</${tag}>`).exec(text)?.[1] ?? ''
    assert.deepEqual((headers.get('content-security-policy') ?? '').split('; '), [
      "default-src 'none'",
      `script-src 'self' '${hashOf(inside('script', ' type="importmap"'))}'`,
      `style-src '${hashOf(inside('style'))}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    assert.doesNotMatch(text, /https?:|\sstyle=|\son\w+=/)
    assert.equal((await world.service.request('/invitations')).text, text)
  })

  it('names scripts that never change, each with its integrity', async () => {
    const { text } = await world.service.request('/invitations')
    const map = JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(text)?.[1] ?? '{}')
    const paths = Object.keys(map.integrity)
    assert.equal(paths.length, 6)
    assert.ok(paths.includes(map.imports.oauth4webapi))
    for (const path of paths) {
      const script = await world.service.request(path.slice(1))
      assert.equal(script.status, 200)
      assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
      assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(map.integrity[path], hashOf(script.text, 'sha384'))
    }
    const [, src, integrity] = /<script type="module" src="([^"]+)" integrity="([^"]+)">/.exec(text) ?? []
    assert.equal(map.integrity[`./${src}`], integrity)
  })

  it('takes nothing but being looked at', async () => {
    const { status, headers } = await world.service.request('/invitations', { method: 'POST' })
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  })

  it('may connect to the token endpoint of an issuer, and asks for no token that lasts', async () => {
    const service = await startTestService({ signIn })
    try {
      const { headers, text } = await service.request('/invitations')
      const policy = headers.get('content-security-policy') ?? ''
      assert.ok(policy.split('; ').includes(`connect-src 'self' ${issuer.token_endpoint}`))
      const [option] = JSON.parse(/id="options">(.*?)<\/script>/.exec(text)?.[1] ?? '[]')
      assert.equal(option.scope, 'openid')
      assert.equal(option.endpoints.token_endpoint, issuer.token_endpoint)
      const again = await service.request('/invitations', {
        headers: { 'if-none-match': headers.get('etag') ?? '' },
      })
      assert.deepEqual([again.status, again.text], [304, ''])
    } finally {
      await service.close()
    }
  })

  it('is there while an issuer cannot be reached or does not answer, and says so', async () => {
    let givenUp = 0
    const silent = createServer(request => void request.on('close', () => givenUp++)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const audience = 'x'
    const service = await startTestService({
      signIn: () =>
        signInClients(
          [
            { issuer: `http://127.0.0.1:${port}`, audience },
            { issuer: 'http://127.0.0.1:9/</script>', audience },
          ],
          ['a', 'b'],
          'openid',
        ),
    })
    try {
      const { status, text, headers } = await service.request('/invitations')
      assert.equal(status, 200)
      // The service still waits for the issuer.
      assert.equal(givenUp, 0)
      assert.match(headers.get('content-security-policy') ?? '', /connect-src 'self';/)
      const options = JSON.parse(/id="options">(.*?)<\/script>/.exec(text)?.[1] ?? '[]')
      assert.deepEqual(
        options.map((one: { endpoints: unknown }) => one.endpoints),
        [null, null],
      )
      assert.equal(options[1].issuer, 'http://127.0.0.1:9/</script>')
    } finally {
      silent.closeAllConnections()
      silent.close()
      await service.close()
    }
  })
})

describe('the page of an invitation in a browser', { skip }, () => {
  const visit = browsing()

  it('shows who invites whom, where to, and as what, and changes nothing', async () => {
    const { owner, workspace_id, invite } = await world.team()
    await world.service.sql(
      `update workspaces set name = '<img src=x onerror=alert(1)> & Söhne' where id = $1`,
      [workspace_id],
    )
    const { invitation_id, email, token } = await invite()
    await visit(async ({ page }) => {
      await open(page, token)
      await says(page, 'You are invited to a Workspace.')
      assert.equal(await fact(page, 'Workspace'), '<img src=x onerror=alert(1)> & Söhne')
      assert.equal(await fact(page, 'Invited by'), 'Olivia')
      assert.equal(await fact(page, 'For'), `${email[0]}…@e….com`)
      assert.equal(await fact(page, 'As'), 'member')
      assert.match((await fact(page, 'Good until')) ?? '', /20\d\d/)
      assert.equal(await page.locator('#room').isVisible(), false)
    })
    const { data } = await owner.client.getTeamInvitation({ invitation_id }, { workspace_id })
    assert.deepEqual([data.status, data.revision], ['pending', 1])
    assert.ok(!world.service.logged.join().includes(token))
  })

  it('says what to do where nobody can sign in, without a button', async () => {
    const { token } = await (await world.team()).invite()
    await visit(async ({ page }) => {
      await open(page, token)
      await page.getByText('People do not sign in on this page. Ask the person who invited you').waitFor()
      assert.equal(await page.getByRole('button').count(), 0)
    })
  })

  it('asks nobody to sign in for an invitation that was answered, withdrawn or has expired', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { invitation_id, token } = await invite()
    await owner.client.revokeTeamInvitation({ invitation_id }, { workspace_id })
    const late = await invite()
    await world.service.sql(`update team_invitations set expires_at = now() where id = $1`, [
      late.invitation_id,
    ])
    const given = await invite()
    await world.holder(given.email).client.acceptInvitation({ token: given.token })
    for (const [of, text] of [
      [token, 'This invitation was revoked.'],
      [late.token, 'This invitation has expired. Ask the person who invited you for a new one.'],
      [given.token, 'This invitation was accepted.'],
    ] as const)
      await visit(async ({ page }) => {
        await open(page, of)
        await says(page, text)
        assert.equal(await page.locator('#sign-in').isVisible(), false)
      })
  })

  it('says what is wrong with a link, and takes another one in the same tab', async () => {
    const { token } = await (await world.team()).invite()
    await visit(async ({ page }) => {
      await open(page, '')
      await says(page, 'Open this page with the link')
      for (const wrong of [`svi_${'A'.repeat(43)}`, 'x']) {
        await open(page, wrong)
        await says(page, 'There is no such invitation.')
      }
      await open(page, token)
      await says(page, 'You are invited')
    })
  })

  it('is gone through by the keyboard in order, and fits a phone', async () => {
    const service = await startTestService({ signIn })
    const owner = service.person('Olivia')
    const workspace_id = await service.workspace('A', owner)
    const [{ token } = { token: '' }] = await insertInvitations(service, workspace_id, owner, [
      { email: someAddress() },
    ])
    try {
      await visit(async ({ page }) => {
        await page.goto(`${service.base_url}/invitations#token=${token}`)
        await says(page, 'You are invited')
        await page.keyboard.press('Tab')
        const name = new URL(issuer.issuer).host
        assert.equal(await page.locator(':focus').textContent(), `Sign in at ${name}`)
        const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        assert.equal(tooWide, false)
        await page.keyboard.press('Enter')
        await page.waitForURL(/\/sign-in\//)
      })
    } finally {
      await service.close()
    }
  })

  it('says what to do without scripts', async () => {
    const { text } = await world.service.request('/invitations')
    assert.match(text, /<noscript>.*Allow it for this site, or open the link in another browser/)
  })
})
