import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { signInClients } from '../../../../src/identity/sign-in-settings.ts'
import {
  someAddress,
  startInvitationWorld,
  type InvitationWorld,
  type Team,
} from '../../../workspaces/team-invitations/invitation-world.ts'
import { browsing, press, says, signInAs, skip } from './invitation-browser.ts'
import { startRealIssuer, type RealIssuer } from './real-issuer.ts'

let world: InvitationWorld
let team: Team
let one: RealIssuer
let two: RealIssuer
before(async () => {
  one = await startRealIssuer()
  two = await startRealIssuer({ prompt_values_supported: ['login', 'select_account', 'create'] })
  const away = { issuer: 'http://127.0.0.1:9/away', audience: 'x' }
  world = await startInvitationWorld({
    issuers: [one, two].map(({ issuer, audience }) => ({ issuer, audience })),
    signIn: () => signInClients([one, two, away], ['the-page', 'the-page', 'any'], 'openid email'),
  })
  team = await world.team()
})
afterEach(() => {
  one.answerWith(null)
  one.tokens('answered')
})
after(async () => {
  await world.service.close()
  await one.close()
  await two.close()
})

const address = () => `${world.service.base_url}/invitations`
const open = (page: Page, token: string) => page.goto(`${address()}#token=${token}`)
const hostOf = ({ issuer }: RealIssuer) => new URL(issuer).host
const begin = (page: Page, at = one) => press(page, `Sign in at ${hostOf(at)}`)
/** How often codes were given for tokens. */
const exchanges = () => one.asked.filter(({ url }) => url === '/token').length

describe('the page of an invitation, when signing in goes wrong', { skip }, () => {
  const visit = browsing()

  /** Signs in after all, and accepts. */
  async function accept(page: Page, email: string): Promise<void> {
    one.answerWith(null)
    one.tokens('answered')
    await begin(page)
    // Who is signed in at the issuer already comes straight back.
    const canAccept = page.getByRole('button', { name: 'Accept' })
    await Promise.race([page.waitForURL(/\/sign-in\//), canAccept.waitFor()])
    if (!(await canAccept.isVisible())) await signInAs(page, email)
    await press(page, 'Accept')
    await says(page, 'You have joined')
  }
  it('lets a person try again after each wrong answer, and takes no code from it', async () => {
    const { email, token } = await team.invite()
    const before = exchanges()
    await visit(async ({ page }) => {
      await open(page, token)
      // Each says something else than the one before it.
      for (const [fault, answer, text] of [
        [
          'has the wrong state',
          () => ({ code: 'x', state: 'y' }),
          'This sign-in was used already, or begun in another',
        ],
        [
          'is of another issuer',
          (state: string) => ({ code: 'x', state, iss: 'https://else.example' }),
          'answered the sign-in with something unexpected',
        ],
        ['has no state', () => ({ code: 'x' }), 'This sign-in was used already, or begun in another'],
        [
          'does not name the issuer that always does',
          (state: string) => ({ code: 'x', state }),
          'answered the sign-in with something unexpected',
        ],
        [
          'was canceled',
          (state: string) => ({ error: 'access_denied', state, iss: one.issuer }),
          'You did not sign in, so nothing',
        ],
        [
          'was refused',
          (state: string) => ({ error: 'login_required', state, iss: one.issuer }),
          'did not sign you in (login_required)',
        ],
      ] as const) {
        one.answerWith(asked => answer(asked.get('state') ?? ''))
        await begin(page)
        await says(page, text)
        assert.equal(page.url(), address(), `the answer ${fault}`)
        assert.equal(exchanges(), before, `the answer ${fault}`)
      }
      await accept(page, email)
    })
  })

  it('lets a person try again where the code is no longer good, or the issuer is cut off', async () => {
    const { email, token } = await team.invite()
    await visit(async ({ page }) => {
      await open(page, token)
      one.tokens('refused')
      await begin(page)
      await signInAs(page, email)
      await says(page, 'The sign-in took too long, or was used already. Sign in again.')
      one.tokens('cut')
      await begin(page)
      await says(page, `${hostOf(one)} cannot be reached from this page.`)
      await accept(page, email)
    })
  })

  it('signs nobody in by an answer that somebody else began, or that was used', async () => {
    const { email, token } = await team.invite()
    await visit(async ({ page, sent }) => {
      await open(page, token)
      await page.goto(`${address()}?code=of-an-attacker&state=theirs`)
      await says(page, 'This sign-in was used already, or begun in another tab')
      assert.equal(page.url(), address())
      await begin(page)
      await signInAs(page, email)
      await says(page, 'You are signed in.')
      const used = sent.findLast(request => request.url().startsWith(`${address()}?`))
      const before = exchanges()
      await page.goto(used?.url() ?? '')
      await says(page, 'This sign-in was used already')
      assert.equal(exchanges(), before)
      await page.goto(`${address()}?error=access_denied`)
      await says(page, 'This sign-in was used already')
    })
    await visit(async ({ page }) => {
      await page.goto(`${address()}?code=x&state=y`)
      await says(page, 'Open this page with the link in your invitation mail.')
    })
  })

  it('says what to do where the browser stores nothing', async () => {
    const { token } = await team.invite()
    await visit(async ({ page }) => {
      await page.addInitScript(
        `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError') } })`,
      )
      await open(page, token)
      await says(page, 'You are invited')
      await begin(page)
      await says(page, 'Your browser stores nothing for this page')
      await page.reload()
      await says(page, 'You are invited')
    })
  })

  it('names each issuer, says which cannot be reached, and takes people to a new account where it can', async () => {
    const { email, token } = await team.invite()
    await visit(async ({ page }) => {
      await open(page, token)
      await says(page, 'You are invited')
      assert.deepEqual(await page.locator('#sign-in button').allTextContents(), [
        `Sign in at ${hostOf(one)}`,
        `Sign in at ${hostOf(two)}`,
        `Create an account at ${hostOf(two)}`,
        'Try again',
      ])
      await page.getByText('You cannot sign in at 127.0.0.1:9 now.').waitFor()
      await page.getByText(`You have no account at ${hostOf(one)}? Ask the person who invited you`).waitFor()
      await press(page, 'Try again')
      await says(page, 'You are invited')
      await press(page, 'Create an account at')
      await page.waitForURL(/\/sign-in\//)
      assert.equal(two.lastAuthorization()['prompt'], 'create')
      await signInAs(page, someAddress())
      await says(page, 'You are signed in.')
      await press(page, 'Sign in with another account')
      await page.waitForURL(/\/sign-in\//)
      assert.equal(two.lastAuthorization()['prompt'], 'select_account')
      await signInAs(page, email)
      await press(page, 'Accept')
      await says(page, 'You have joined')
    })
  })

  it('gives an answer that was lost again with the same key', async () => {
    const { email, token } = await team.invite()
    await visit(async ({ page, sent }) => {
      await open(page, token)
      await begin(page)
      await signInAs(page, email)
      // The browser does not intercept the requests of a page that it is on its way to.
      await says(page, 'You are signed in.')
      let lost = 0
      await page.route('**/v1/invitations/accept', async route => {
        if (lost++ > 0) return route.continue()
        await route.fetch()
        return route.abort()
      })
      await press(page, 'Accept')
      await says(page, 'The service cannot be reached. Try again.')
      await press(page, 'Accept')
      await says(page, 'You have joined')
      const keys = sent
        .filter(request => request.url().endsWith('/accept') && request.method() === 'POST')
        .map(request => request.headers()['idempotency-key'])
      assert.equal(keys.length, 2)
      assert.equal(new Set(keys).size, 1)
    })
  })

  it('says that an invitation was withdrawn meanwhile, or that the service does not accept the account', async () => {
    const { invitation_id, email, token } = await team.invite()
    await visit(async ({ page }) => {
      await open(page, token)
      await begin(page)
      await signInAs(page, email)
      await says(page, 'You are signed in.')
      const { owner, workspace_id } = team
      await owner.client.revokeTeamInvitation({ invitation_id }, { workspace_id })
      await press(page, 'Accept')
      await page.locator('#status.bad').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Accept' }).isVisible(), false)
    })
    const other = await team.invite()
    await visit(async ({ page }) => {
      await page.route('**/v1/me', route =>
        route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer x' } }),
      )
      await open(page, other.token)
      await begin(page)
      await signInAs(page, other.email)
      await says(page, 'The service does not accept this sign-in:')
    })
  })
})
