import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { usedDataFolder, type DataFolder, type ServiceProcess } from '../../../server/test/harness/process.ts'
import { openTerminal, secretsOf, type Terminal } from '../login/terminal.ts'

describe('a session of wbs login', () => {
  let data: DataFolder
  let service: ServiceProcess
  let url: string
  let sample: Awaited<ReturnType<ServiceProcess['quickstart']>>
  let terminal: Terminal
  before(async () => {
    data = await usedDataFolder()
    service = await data.start({ SVC_SAMPLE_DATA: 'off' })
    url = service.base_url
    sample = await service.quickstart()
  })
  after(() => data.remove())
  beforeEach(async () => {
    terminal = await openTerminal()
    await terminal.signIn(url)
  })
  afterEach(() => terminal.remove())

  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const credential = async () => (await terminal.stored()).profiles.default?.credential ?? {}
  const changeCredential = (change: Record<string, string>) =>
    terminal.store(({ profiles }) => void Object.assign(profiles.default?.credential ?? {}, change))

  it('is renewed when its token is about to expire, and its new refresh token is kept', async () => {
    for (const seconds of [-3600, 30]) {
      const before = await credential()
      await changeCredential({ expires_at: inSeconds(seconds), access_token: 'old' })
      const { code, stdout, stderr } = await terminal.run(['whoami'])
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^Olivia Bennett/)
      const now = await credential()
      assert.notEqual(now.refresh_token, before.refresh_token)
      assert.ok(Date.parse(now.expires_at ?? '') > Date.now() + 3_600_000)
    }
  })

  it('survives several commands that renew it at once', async () => {
    await changeCredential({ expires_at: inSeconds(-1) })
    const all = await Promise.all([1, 2, 3].map(() => terminal.start(['whoami']).ended))
    assert.deepEqual(
      all.map(({ code, stderr }) => [code, stderr]),
      all.map(() => [0, '']),
    )
    // A refresh token that had been used twice would have ended the session.
    await changeCredential({ expires_at: inSeconds(-1) })
    assert.equal((await terminal.run(['whoami'])).code, 0)
  })

  it('goes on with a token that is still valid while the issuer is out of reach', async () => {
    const issuer = 'http://127.0.0.1:1/identity'
    await changeCredential({ issuer, expires_at: inSeconds(30) })
    assert.match((await terminal.run(['whoami'])).stdout, /^Olivia Bennett/)
    await changeCredential({ expires_at: inSeconds(-1) })
    const before = await readFile(terminal.file, 'utf8')
    const { code, stderr } = await terminal.run(['whoami'])
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^The session of the profile default cannot be renewed: The issuer http:\/\/127\.0\.0\.1:1\/identity cannot be used: .*\n$/,
    )
    assert.equal(await readFile(terminal.file, 'utf8'), before)
  })

  it('ends at the issuer with wbs logout, and is forgotten', async () => {
    const kept = await readFile(terminal.file, 'utf8')
    const out = await terminal.run(['logout'])
    assert.deepEqual(out, { code: 0, stdout: 'Signed out: the profile default is removed.\n', stderr: '' })
    assert.deepEqual((await terminal.stored()).profiles, {})
    assert.equal((await terminal.run(['whoami'])).code, 1)
    await writeFile(terminal.file, kept)
    await changeCredential({ expires_at: inSeconds(-1) })
    const { code, stderr } = await terminal.run(['whoami'])
    assert.equal(code, 1)
    assert.equal(
      stderr,
      'The session of the profile default has ended. Sign in again: wbs login --profile default\n',
    )
  })

  it('is forgotten even if the issuer is out of reach, which wbs logout says', async () => {
    await changeCredential({ issuer: 'http://127.0.0.1:1/identity' })
    const { code, stderr } = await terminal.run(['logout'])
    assert.equal(code, 0)
    assert.match(stderr, /^Its session may still be open at the issuer\. /)
    assert.deepEqual((await terminal.stored()).profiles, {})
  })

  it('ends when another sign-in takes its place', async () => {
    const kept = await readFile(terminal.file, 'utf8')
    await terminal.signIn(url, 'admin')
    await writeFile(terminal.file, kept)
    await changeCredential({ expires_at: inSeconds(-1) })
    assert.match((await terminal.run(['whoami'])).stderr, /has ended/)
  })

  it('is sent to no other service', async () => {
    for (const more of [
      { args: ['--url', 'http://127.0.0.2:1'] },
      { env: { WBS_URL: 'http://127.0.0.2:1' } },
    ]) {
      const { code, stderr } = await terminal.run(['whoami', ...(more.args ?? [])], more)
      assert.equal(code, 1)
      assert.match(stderr, /^The profile default is for http:\S+, not for http:\/\/127\.0\.0\.2:1\. /)
    }
  })

  it('gives way to the environment, and a flag wins over both', async () => {
    const env = { WBS_URL: url, WBS_TOKEN: sample.users.admin?.access_token ?? '' }
    assert.match((await terminal.run(['whoami'], { env })).stdout, /^Marcus Chen/)
    assert.match(
      (await terminal.run(['whoami'], { env: { WBS_TOKEN: env.WBS_TOKEN } })).stdout,
      /^Marcus Chen/,
    )
    assert.match((await terminal.run(['whoami', '--profile', 'default'], { env })).stdout, /^Olivia Bennett/)
    const named = { WBS_WORKSPACE: sample.other_workspace_id }
    const asJson = async (args: string[]) =>
      (
        JSON.parse((await terminal.run(['whoami', '--json', ...args], { env: named })).stdout) as {
          workspace_id: string
        }
      ).workspace_id
    assert.equal(await asJson([]), sample.other_workspace_id)
    assert.equal(await asJson(['--workspace', sample.workspace_id]), sample.workspace_id)
  })

  it('is used only from a file that nobody else can read or change', async () => {
    for (const [path, mode, reason] of [
      [
        terminal.file,
        0o640,
        /^Others can read or change \S+profiles\.json, which has your credentials: chmod 600/,
      ],
      [terminal.file, 0o604, /^Others can read or change/],
      [dirname(terminal.file), 0o777, /^Others can change the folder/],
    ] as const) {
      await chmod(path, mode)
      const { code, stdout, stderr } = await terminal.run(['whoami'])
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, reason)
      await chmod(path, path === terminal.file ? 0o600 : 0o700)
    }
    await writeFile(terminal.file, '{"version":2}')
    assert.match((await terminal.run(['whoami'])).stderr, /is damaged, or another version of wbs wrote it/)
  })

  it('can be one of several profiles', async () => {
    await terminal.signIn(url, 'admin', ['--profile', 'boss'])
    const list = await terminal.run(['profiles', 'list'])
    assert.match(list.stdout, /^ {2}default {2}http:\S+ .*\n\* boss {5}http:\S+ .* session\n$/)
    const json = await terminal.run(['profiles', 'list', '--json'])
    for (const secret of secretsOf(await terminal.stored()))
      assert.ok(!list.stdout.includes(secret) && !json.stdout.includes(secret))
    assert.match((await terminal.run(['whoami'])).stdout, /^Marcus Chen/)
    assert.match(
      (await terminal.run(['whoami'], { env: { WBS_PROFILE: 'default' } })).stdout,
      /^Olivia Bennett/,
    )
    assert.equal((await terminal.run(['profiles', 'use', 'default'])).code, 0)
    assert.match((await terminal.run(['whoami'])).stdout, /^Olivia Bennett/)
    assert.equal((await terminal.run(['profiles', 'remove', 'default'])).code, 0)
    const none = await terminal.run(['whoami'])
    assert.match(
      none.stderr,
      /^There is no credential: sign in with wbs login, .* Or choose a profile .*: boss\.\n$/,
    )
    for (const args of [
      ['profiles', 'use', 'nobody'],
      ['whoami', '--profile', 'nobody'],
      ['profiles', 'remove', 'nobody'],
    ])
      assert.match((await terminal.run(args)).stderr, /^There is no profile nobody\./)
    assert.match(
      (await terminal.run(['whoami', '--profile', '../x'])).stderr,
      /^The name of a profile has letters/,
    )
  })

  it('carries the commands of a Workspace, which ask for one if none is chosen', async () => {
    await terminal.store(({ profiles }) => {
      if (profiles.default) profiles.default.workspace_id = null
    })
    const { code, stderr } = await terminal.run(['lists', 'export', 'list_01JD0000000000000000000000'])
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^Name the Workspace by --workspace or WBS_WORKSPACE, or choose one with wbs login\.\n$/,
    )
    const args = ['lists', 'export', 'list_01JD0000000000000000000000', '--workspace', sample.workspace_id]
    assert.match((await terminal.run(args)).stderr, /\(not_found\)/)
  })
})
