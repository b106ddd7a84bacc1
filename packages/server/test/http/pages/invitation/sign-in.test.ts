import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { signInClients } from '../../../../src/identity/sign-in-settings.ts'
import {
  someAddress,
  startInvitationWorld,
  type InvitationWorld,
} from '../../../workspaces/team-invitations/invitation-world.ts'
import { browsing, fact, onlyToldTo, press, says, signInAs, skip } from './invitation-browser.ts'
import { startRealIssuer, type RealIssuer } from './real-issuer.ts'

let world: InvitationWorld
let issuer: RealIssuer
before(async () => {
  issuer = await startRealIssuer()
  const { audience } = issuer
  world = await startInvitationWorld({
    issuers: [{ issuer: issuer.issuer, audience }],
    signIn: () => signInClients([issuer], ['the-page'], 'openid profile email offline_access'),
  })
})
after(async () => {
  await world.service.close()
  await issuer.close()
})

/** Invites an address to a Room, for the nth time, and gives the token of the mail. */
async function inviteToRoom(email: string, nth = 1) {
  const { owner, workspace_id } = await world.team()
  const client = world.service.client({ access_token: owner.token, workspace_id })
  const { room } = await client.createRoom({ title: '<b>Sale</b> of Glacier' })
  await client.inviteParticipant({ room_id: room.room_id, email, access_level: 'edit' })
  const statuses = async () =>
    (await client.listParticipants({ room_id: room.room_id })).participants.map(({ status }) => status)
  return { ...room, workspace_id, statuses, token: await world.mailbox.token(email, nth) }
}

const open = (page: Page, token: string) => page.goto(`${world.service.base_url}/invitations#token=${token}`)

const host = () => new URL(issuer.issuer).host

describe('the page of an invitation, with an issuer of another origin', { skip }, () => {
  const visit = browsing()
  /** Who is invited to two Rooms, one after the other. */
  const guest = someAddress()

  it('takes a guest from the link in the mail into the Room, and never stores the access token', async () => {
    const { token, room_id, workspace_id, statuses } = await inviteToRoom(guest)
    await visit(async ({ page, sent, tokens }) => {
      await open(page, token)
      await says(page, 'You are invited to a Room.')
      assert.equal(await fact(page, 'Room'), '<b>Sale</b> of Glacier')
      assert.equal(page.url(), `${world.service.base_url}/invitations`)
      await press(page, `Sign in at ${host()}`)
      await signInAs(page, guest)
      await says(page, 'You are signed in.')
      assert.equal(page.url(), `${world.service.base_url}/invitations`)
      assert.match((await page.locator('#answer').textContent()) ?? '', new RegExp(`signed in as ${guest}`))
      assert.deepEqual(await statuses(), ['active', 'pending'])
      const stored = String(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'))
      assert.ok(tokens[0] && stored.includes(token) && !stored.includes(tokens[0]))
      await press(page, 'Accept')
      await says(page, 'You have joined <b>Sale</b> of Glacier.')
      assert.deepEqual(await page.locator('#other-rooms li').allTextContents(), [])
      assert.equal(await page.locator('#others').isVisible(), false)
      const joined = (await page.locator('#joined').textContent()) ?? ''
      for (const shown of [
        '<b>Sale</b> of Glacier',
        'Harbor Street Partners',
        'view',
        'wbs me rooms',
        room_id,
      ])
        assert.ok(joined.includes(shown), shown)
      const { status, body } = await world.service.request(`/v1/rooms/${room_id}`, {
        token: tokens[0] ?? '',
        headers: { 'svc-workspace-id': workspace_id },
      })
      assert.deepEqual([status, body.room.title], [200, '<b>Sale</b> of Glacier'])

      const { scope, resource, code_challenge_method, redirect_uri, ...asked } = issuer.lastAuthorization()
      assert.deepEqual(
        [scope, resource, code_challenge_method, redirect_uri],
        ['openid profile email', issuer.audience, 'S256', `${world.service.base_url}/invitations`],
      )
      assert.match(asked['code_challenge'] ?? '', /^[\w-]{43}$/)
      await onlyToldTo(`${world.service.base_url}/v1/invitations/`, token, sent)
      for (const secret of tokens)
        await onlyToldTo(
          'none',
          secret,
          sent.filter(one => !one.url().includes('/v1/')),
        )
      assert.ok(!JSON.stringify(issuer.asked).includes(token))
      assert.deepEqual(
        issuer.asked.filter(({ referer }) => referer?.includes('/invitations')),
        [],
      )
      assert.ok(
        !world.service.logged.join().includes(token) && !world.service.logged.join().includes('code='),
      )
      const left = await page.evaluate(
        'JSON.stringify({ ...sessionStorage, ...localStorage }) + document.cookie',
      )
      assert.equal(left, '{}')
    })
  })

  it('shows a guest in which other Rooms they take part', async () => {
    const { token } = await inviteToRoom(guest, 2)
    await visit(async ({ page }) => {
      await open(page, token)
      await press(page, 'Sign in at')
      await signInAs(page, guest)
      await press(page, 'Accept')
      await says(page, 'You have joined')
      assert.deepEqual(await page.locator('#other-rooms li').allTextContents(), [
        '<b>Sale</b> of Glacier · Harbor Street Partners',
      ])
      assert.equal(await page.locator('#others').isVisible(), true)
    })
  })

  it('has a guest join although their Rooms cannot be read', async () => {
    const email = someAddress()
    const { token } = await inviteToRoom(email)
    await visit(async ({ page }) => {
      await open(page, token)
      await press(page, 'Sign in at')
      await signInAs(page, email)
      await says(page, 'You are signed in.')
      await page.route('**/v1/me', route => route.abort())
      await press(page, 'Accept')
      await says(page, 'You have joined')
      assert.equal(await page.locator('#others').isVisible(), false)
    })
  })

  it('declines', async () => {
    const { invite, memberships } = await world.team()
    const { email, token } = await invite()
    await visit(async ({ page }) => {
      await open(page, token)
      await says(page, 'You are invited to a Workspace.')
      await press(page, 'Sign in at')
      await signInAs(page, email)
      await press(page, 'Decline')
      await says(page, 'You have declined.')
      assert.equal((await memberships()).length, 1)
    })
  })

  it('says that the invitation is for somebody else, and lets another account sign in and join the team', async () => {
    const { invite, memberships } = await world.team()
    const { email, token } = await invite()
    const eve = someAddress()
    await visit(async ({ page }) => {
      await open(page, token)
      await press(page, 'Sign in at')
      await signInAs(page, eve)
      await press(page, 'Accept')
      await says(page, `You are signed in as ${eve}, and this invitation is for ${email[0]}…@e….com.`)
      await press(page, 'Sign in with another account')
      await page.waitForURL(/\/sign-in\//)
      assert.equal(issuer.lastAuthorization()['prompt'], 'login')
      await signInAs(page, email)
      await press(page, 'Accept')
      await says(page, 'You have joined Harbor Street Partners.')
      assert.equal((await memberships()).length, 2)
    })
  })

  it('does not let an account answer whose address is not confirmed', async () => {
    const { token } = await (await world.team()).invite()
    await visit(async ({ page }) => {
      await open(page, token)
      await press(page, 'Sign in at')
      await signInAs(page, `unconfirmed-${someAddress()}`)
      await page.getByText('The account has no confirmed email address').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Accept' }).isVisible(), false)
      assert.equal(await page.getByRole('button', { name: 'Sign in with another account' }).isVisible(), true)
    })
  })

  it('signs in at two tabs at once, each for its own invitation', async () => {
    const { invite } = await world.team()
    const [one, two] = [await invite(), await invite()]
    await visit(async ({ page, context }) => {
      const other = await context.newPage()
      for (const [tab, { token }] of [
        [page, one],
        [other, two],
      ] as const) {
        await open(tab, token)
        await press(tab, 'Sign in at')
        await tab.waitForURL(/\/sign-in\//)
      }
      await signInAs(page, one.email)
      await says(page, 'You are signed in.')
      await signInAs(other, two.email)
      await says(other, 'You are signed in.')
      for (const tab of [page, other]) {
        await press(tab, 'Accept')
        await says(tab, 'You have joined')
      }
    })
  })

  it('survives the back button and a reload, and then asks to sign in again', async () => {
    const { email, token } = await (await world.team()).invite()
    await visit(async ({ page }) => {
      await open(page, token)
      await press(page, 'Sign in at')
      await page.waitForURL(/\/sign-in\//)
      await page.goBack()
      await says(page, 'You are invited')
      await press(page, 'Sign in at')
      await signInAs(page, email)
      await says(page, 'You are signed in.')
      await page.reload()
      await says(page, 'You are invited')
      await press(page, 'Sign in at')
      await says(page, 'You are signed in.')
      await press(page, 'Accept')
      await says(page, 'You have joined')
    })
  })

  it('comes back to its own address under the path of a proxy', async () => {
    const { email, token } = await (await world.team()).invite()
    const proxy = createServer((request, response) => {
      const { method, headers, url = '' } = request
      const to = httpRequest(world.service.base_url + url.replace(/^\/base/, ''), { method, headers })
      to.on('response', from => from.pipe(response.writeHead(from.statusCode ?? 502, from.headers)))
      request.pipe(to)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const base = `http://127.0.0.1:${(proxy.address() as { port: number }).port}/base`
    try {
      await visit(async ({ page }) => {
        await page.goto(`${base}/invitations#token=${token}`)
        await press(page, 'Sign in at')
        await signInAs(page, email)
        await says(page, 'You are signed in.')
        assert.equal(page.url(), `${base}/invitations`)
        assert.equal(issuer.lastAuthorization()['redirect_uri'], `${base}/invitations`)
        await press(page, 'Accept')
        await says(page, 'You have joined')
      })
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })

  it('works on a machine whose clock is wrong', async () => {
    const { email, token } = await (await world.team()).invite()
    await visit(async ({ page }) => {
      await page.addInitScript('{ const now = Date.now; Date.now = () => now() - 5 * 86400000 }')
      await open(page, token)
      await press(page, 'Sign in at')
      await signInAs(page, email)
      await press(page, 'Accept')
      await says(page, 'You have joined')
    })
  })
})
