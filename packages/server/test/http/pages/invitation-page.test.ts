import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { chromium, type Browser, type Page } from 'playwright-core'
import {
  someAddress,
  startInvitationWorld,
  type InvitationWorld,
} from '../../workspaces/team-invitations/invitation-world.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`

let world: InvitationWorld
before(async () => void (world = await startInvitationWorld()))
after(() => world.service.close())

describe('GET /invitations', () => {
  it('is the same page for everybody, and runs, loads and sends nothing but its own', async () => {
    const { status, headers, text } = await world.service.request('/invitations')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    const policy = headers.get('content-security-policy') ?? ''
    const hashOf = (tag: string) => {
      const inside = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1] ?? ''
      return createHash('sha256').update(inside).digest('base64')
    }
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      `script-src 'sha256-${hashOf('script')}'`,
      `style-src 'sha256-${hashOf('style')}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    assert.doesNotMatch(text, /\bsrc=|https?:|\sstyle=|\son\w+=|innerHTML|eval/)
  })

  it('takes nothing but being looked at', async () => {
    const { status, headers } = await world.service.request('/invitations', { method: 'POST' })
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  })
})

describe('the page of an invitation in a browser', { skip }, () => {
  let browser: Browser
  before(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
    browser = await chromium.launch({ executablePath, args })
  })
  after(() => browser.close())

  /** Opens the page of a token in a phone-sized browser, runs a test on it, and closes it. No error may be logged meanwhile. */
  async function visit(token: string, look: (page: Page) => Promise<void>, failures = 0): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
    const complaints: string[] = []
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    try {
      await page.goto(`${world.service.base_url}/invitations${token === '' ? '' : `#token=${token}`}`)
      await look(page)
      // The browser itself logs refused requests.
      const own = complaints.filter(text => !/Failed to load resource: the server responded/.test(text))
      assert.deepEqual(own, [])
      assert.equal(complaints.length - own.length, failures)
      for (const url of asked)
        assert.ok(url.startsWith(world.service.base_url) && !/[?&]token|svi_.*\?/.test(url))
    } finally {
      await page.close()
    }
  }
  const says = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()
  const fact = (page: Page, name: string) => page.locator(`dt:has-text("${name}") + dd`).first().textContent()

  it('shows who invites whom, where to, and as what, and changes nothing', async () => {
    const { owner, workspace_id, invite } = await world.team()
    await world.service.sql(
      `update workspaces set name = '<img src=x onerror=alert(1)> & Söhne' where id = $1`,
      [workspace_id],
    )
    const { invitation_id, email, token } = await invite()
    await visit(token, async page => {
      await says(page, 'You are invited')
      assert.equal(await fact(page, 'Workspace'), '<img src=x onerror=alert(1)> & Söhne')
      assert.equal(await fact(page, 'Invited by'), 'Olivia')
      assert.equal(await fact(page, 'For'), `${email[0]}…@e….com`)
      assert.equal(await fact(page, 'As'), 'member')
      assert.match((await fact(page, 'Good until')) ?? '', /20\d\d/)
    })
    const { data } = await owner.client.getTeamInvitation({ invitation_id }, { workspace_id })
    assert.deepEqual([data.status, data.revision], ['pending', 1])
    assert.ok(!world.service.logged.join().includes(token))
  })

  it('accepts with the access token of the person who is invited', async () => {
    const { invite, memberships } = await world.team()
    const { email, token } = await invite()
    await visit(token, async page => {
      await page.getByLabel('Access token').fill(world.holder(email).token)
      await page.getByRole('button', { name: 'Accept' }).click()
      await says(page, 'You have joined Harbor Street Partners.')
      assert.equal(await page.getByLabel('Access token').isVisible(), false)
    })
    assert.equal((await memberships()).length, 2)
    await visit(token, page => says(page, 'This invitation was accepted.'))
  })

  it('declines', async () => {
    const { invite } = await world.team()
    const { email, token } = await invite()
    await visit(token, async page => {
      await page.getByLabel('Access token').fill(world.holder(email).token)
      await page.getByRole('button', { name: 'Decline' }).click()
      await says(page, 'You have declined.')
    })
    await visit(token, page => says(page, 'This invitation was declined.'))
  })

  it('shows an invitation to a Room, and accepts it', async () => {
    const { owner, workspace_id } = await world.team()
    const client = world.service.client({ access_token: owner.token, workspace_id })
    const { room } = await client.createRoom({ title: '<b>Sale</b> of Glacier' })
    const zoe = world.holder(someAddress())
    await client.inviteParticipant({ room_id: room.room_id, email: zoe.email, access_level: 'edit' })
    const token = await world.mailbox.token(zoe.email)
    await visit(token, async page => {
      await says(page, 'You are invited to a Room.')
      assert.equal(await fact(page, 'Room'), '<b>Sale</b> of Glacier')
      assert.equal(await fact(page, 'Workspace'), 'Harbor Street Partners')
      assert.equal(await fact(page, 'As'), 'a person who can edit it')
      await page.getByLabel('Access token').fill(zoe.token)
      await page.getByRole('button', { name: 'Accept' }).click()
      await says(page, 'You have joined <b>Sale</b> of Glacier.')
    })
    await visit((await (await world.team()).invite()).token, async page => {
      await says(page, 'You are invited to a Workspace.')
      assert.equal(await page.locator('#room').isVisible(), false)
    })
  })

  it('says why somebody else cannot, and lets the invited person try again', async () => {
    const { invite } = await world.team()
    const { email, token } = await invite()
    await visit(
      token,
      async page => {
        await page.getByLabel('Access token').fill(world.service.person('Eve').token)
        await page.keyboard.press('Enter')
        await says(page, 'The invitation is for a different email address')
        await page.getByLabel('Access token').fill(world.holder(email).token)
        await page.keyboard.press('Enter')
        await says(page, 'You have joined')
      },
      1,
    )
  })

  it('says what is wrong with a link', async () => {
    await visit('', page => says(page, 'Open this page with the link'))
    await visit(`svi_${'A'.repeat(43)}`, page => says(page, 'There is no such invitation.'), 1)
    await visit('x', page => says(page, 'There is no such invitation.'), 1)
  })

  it('is gone through by the keyboard in order, and fits a phone', async () => {
    const { invite } = await world.team()
    const { token } = await invite()
    await visit(token, async page => {
      await says(page, 'You are invited')
      const seen: (string | null)[] = []
      for (let i = 0; i < 3; i++) {
        await page.keyboard.press('Tab')
        const focus = page.locator(':focus')
        seen.push((await focus.getAttribute('id')) ?? (await focus.textContent()))
      }
      assert.deepEqual(seen, ['access-token', 'Accept', 'Decline'])
      const tooWide = await page
        .locator('html')
        .evaluate((root: { scrollWidth: number; clientWidth: number }) => root.scrollWidth > root.clientWidth)
      assert.equal(tooWide, false)
    })
  })
})
