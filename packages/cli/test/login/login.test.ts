import assert from 'node:assert/strict'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { browser } from '../../../server/test/identity/browser.ts'
import { usedDataFolder, type DataFolder, type ServiceProcess } from '../../../server/test/harness/process.ts'
import { openTerminal, pagePattern, secretsOf, signInAt, type Terminal } from './terminal.ts'

describe('wbs login', () => {
  let data: DataFolder
  let service: ServiceProcess
  let url: string
  let sample: Awaited<ReturnType<ServiceProcess['quickstart']>>
  before(async () => {
    data = await usedDataFolder()
    service = await data.start({ SVC_SAMPLE_DATA: 'off' })
    url = service.base_url
    sample = await service.quickstart()
  })
  after(() => data.remove())

  async function withTerminal(work: (terminal: Terminal) => Promise<void>): Promise<void> {
    const terminal = await openTerminal()
    try {
      await work(terminal)
    } finally {
      await terminal.remove()
    }
  }

  it('signs a person in with a browser, and later commands use the session', () =>
    withTerminal(async terminal => {
      const { code, stdout, stderr } = await terminal.signIn(url)
      assert.equal(code, 0, stderr)
      assert.match(
        stdout,
        /^Signed in to \S+ as Olivia Bennett <olivia\.bennett@example\.com>, in the profile default\.\n/,
      )
      const stored = await terminal.stored()
      assert.equal(stored.current, 'default')
      assert.equal(stored.profiles.default?.url, url)
      assert.equal(stored.profiles.default?.credential.issuer, sample.issuer)
      const who = await terminal.run(['whoami', '--json'])
      const known = JSON.parse(who.stdout) as {
        user: { email: string }
        credential: { from: string; expires_at: string }
      }
      assert.equal(known.user.email, 'olivia.bennett@example.com')
      assert.equal(known.credential.from, 'profile default')
      assert.ok(Date.parse(known.credential.expires_at) > Date.now())
      for (const secret of secretsOf(stored))
        assert.ok(![stdout, stderr, who.stdout, who.stderr].some(text => text.includes(secret)))
    }))

  it('keeps the session where nobody else can read it', () =>
    withTerminal(async terminal => {
      await terminal.signIn(url)
      assert.equal((await stat(terminal.file)).mode & 0o777, 0o600)
      assert.equal((await stat(join(terminal.folder, 'wbs'))).mode & 0o777, 0o700)
    }))

  it('lets the program that BROWSER names open the page', () =>
    withTerminal(async terminal => {
      const [program, opened] = [join(terminal.folder, 'browser'), join(terminal.folder, 'opened')]
      await writeFile(
        program,
        `#!/bin/sh\nprintf %s "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`,
      )
      await chmod(program, 0o755)
      const running = terminal.start(['login', '--url', url], { env: { BROWSER: program } })
      const told = await running.told(pagePattern)
      let page = ''
      while (page === '') page = await readFile(opened, 'utf8').catch(() => sleep(20, ''))
      assert.equal(page, told)
      await fetch((await signInAt(page, 'member')).url)
      assert.match((await running.ended).stdout, /as Priya Raman/)
    }))

  it('goes on if no browser can be opened', () =>
    withTerminal(async terminal => {
      const running = terminal.start(['login', '--url', url], { env: { BROWSER: '/nowhere/browser' } })
      await fetch((await signInAt(await running.told(pagePattern), 'member')).url)
      assert.equal((await running.ended).code, 0)
    }))

  it('asks for PKCE, a state and a nonce, on a port of this machine', () =>
    withTerminal(async terminal => {
      const running = terminal.start(['login', '--url', url])
      const page = new URL(await running.told(pagePattern))
      const asked = page.searchParams
      assert.equal(asked.get('code_challenge_method'), 'S256')
      for (const name of ['code_challenge', 'state', 'nonce'])
        assert.match(asked.get(name) ?? '', /^[\w-]{43}$/)
      assert.match(asked.get('redirect_uri') ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
      assert.match(asked.get('scope') ?? '', /\boffline_access\b/)
      running.child.kill('SIGINT')
      assert.equal((await running.ended).code, 'SIGINT', 'it ends at once')
    }))

  it('answers requests that do not belong to the sign-in, and waits on', () =>
    withTerminal(async terminal => {
      const running = terminal.start(['login', '--url', url])
      const { url: callback } = await signInAt(await running.told(pagePattern), 'owner')
      const forged = new URL(callback)
      forged.searchParams.set('state', 'x'.repeat(43))
      const answer = await fetch(forged)
      assert.equal(answer.status, 400)
      assert.match(await answer.text(), /does not belong to the sign-in/)
      assert.equal((await fetch(new URL('/', callback))).status, 404)
      assert.equal((await fetch(callback, { method: 'POST' })).status, 405)
      const [first, second] = await Promise.all([fetch(callback), fetch(callback)])
      for (const page of [first, second]) {
        assert.equal(page.status, 200)
        assert.match(await page.text(), /You can close this page\./)
        assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
      }
      assert.equal((await running.ended).code, 0)
    }))

  it('says why a sign-in was refused, in the terminal and in the browser', () =>
    withTerminal(async terminal => {
      const running = terminal.start(['login', '--url', url])
      const { url: callback } = await signInAt(await running.told(pagePattern), '')
      assert.match(await (await fetch(callback)).text(), /That did not work/)
      const { code, stderr } = await running.ended
      assert.equal(code, 1)
      assert.match(stderr, /says access_denied: Nobody was chosen to sign in\.\n$/)
      await assert.rejects(stat(terminal.file), { code: 'ENOENT' })
    }))

  it('refuses an answer that another issuer gave', () =>
    withTerminal(async terminal => {
      const running = terminal.start(['login', '--url', url])
      const { url: callback } = await signInAt(await running.told(pagePattern), 'owner')
      callback.searchParams.set('iss', 'https://other.example')
      await fetch(callback)
      const { code, stderr } = await running.ended
      assert.equal(code, 1)
      assert.match(stderr, /iss/)
    }))

  it('signs a person in by a code on another device', () =>
    withTerminal(async terminal => {
      const running = terminal.start(['login', '--device', '--url', url])
      const code = await running.told(/enter the code (\S+)/)
      const page = await running.told(/^Open (\S+) on any device/m)
      const visitor = browser(new URL(page).origin)
      const confirm = await visitor.submit(await visitor.go(page), { user_code: code })
      await visitor.submit(await visitor.submit(confirm, {}), { user: 'admin' })
      const { code: exit, stdout, stderr } = await running.ended
      assert.equal(exit, 0, stderr)
      assert.match(stdout, /as Marcus Chen/)
    }))

  it('takes a token or an API key from standard input, and checks it', () =>
    withTerminal(async terminal => {
      const token = sample.users.viewer?.access_token ?? ''
      const byToken = await terminal.run(['login', '--with-token', '--url', url], { stdin: `${token}\n` })
      assert.match(byToken.stdout, /as Daniel Okafor/)
      const byKey = await terminal.run(['login', '--with-api-key', '--url', url, '--profile', 'robot'], {
        stdin: sample.api_key.secret,
      })
      assert.match(byKey.stdout, new RegExp(`in the profile robot\\.\nWorkspace: .*${sample.workspace_id}`))
      const { profiles, current } = await terminal.stored()
      assert.equal(current, 'robot')
      assert.deepEqual(profiles.robot, {
        url,
        workspace_id: sample.workspace_id,
        credential: { kind: 'api_key', api_key: sample.api_key.secret },
      })
      const before = await readFile(terminal.file, 'utf8')
      for (const [flag, stdin, reason] of [
        ['--with-token', 'x', /does not say who you are: .*\(unauthenticated\)\.\n$/],
        ['--with-token', '', /^Standard input must hold the access token and nothing else\.\n$/],
        ['--with-api-key', token, /^An API key of the service begins with svc_\./],
      ] as const) {
        const { code, stderr } = await terminal.run(['login', flag, '--url', url], { stdin })
        assert.equal(code, 1)
        assert.match(stderr, reason)
        assert.equal(await readFile(terminal.file, 'utf8'), before)
      }
    }))

  it('works in the Workspace that is named, and in no other', () =>
    withTerminal(async terminal => {
      const named = await terminal.signIn(url, 'owner', ['--workspace', sample.workspace_id])
      assert.match(named.stdout, new RegExp(`Workspace: .* \\(${sample.workspace_id}\\), owner`))
      assert.equal((await terminal.stored()).profiles.default?.workspace_id, sample.workspace_id)
      const foreign = await terminal.signIn(url, 'newcomer', ['--workspace', sample.workspace_id])
      assert.equal(foreign.code, 1)
      assert.match(foreign.stderr, /You cannot work in the Workspace/)
    }))

  it('keeps another service in a profile of its own', () =>
    withTerminal(async terminal => {
      await terminal.signIn(url)
      await terminal.store(({ profiles }) => {
        if (profiles.default) profiles.default.url = 'https://api.example.com'
      })
      const name = new URL(url).host.replace(':', '-')
      assert.match((await terminal.signIn(url)).stdout, new RegExp(`in the profile ${name}\\.`))
      assert.deepEqual(
        Object.keys((await terminal.stored()).profiles).toSorted(),
        [name, 'default'].toSorted(),
      )
    }))
})
