import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { browserCommand } from '../../src/login/open-browser.ts'
import { withProcessLock } from '../../src/profiles/process-lock.ts'
import { readProfiles } from '../../src/profiles/profile.ts'
import { openProfileStore } from '../../src/profiles/profile-store.ts'
import { settingsFolder } from '../../src/profiles/settings-folder.ts'
import { isTrustedUrl } from '../../src/sessions/trusted-url.ts'

describe('the folder of the profiles', () => {
  it('follows the rules of each system', () => {
    const at = (platform: NodeJS.Platform, env: Record<string, string>) =>
      settingsFolder(env, platform, '/home/ann')
    assert.equal(at('linux', {}), '/home/ann/.config/wbs')
    assert.equal(at('linux', { XDG_CONFIG_HOME: '/x' }), '/x/wbs')
    assert.equal(at('linux', { XDG_CONFIG_HOME: 'x' }), '/home/ann/.config/wbs')
    assert.equal(at('darwin', {}), '/home/ann/Library/Application Support/wbs')
    assert.equal(at('darwin', { XDG_CONFIG_HOME: '/x' }), '/x/wbs')
    assert.equal(at('win32', { APPDATA: 'C:/Users/ann/AppData/Roaming' }), 'C:/Users/ann/AppData/Roaming/wbs')
  })
})

describe('the program that opens a page', () => {
  const page = 'https://issuer.example/auth?a=1&b=$(id)'
  it('gets the address as one argument, and no shell reads it', () => {
    assert.deepEqual(browserCommand(page, {}, 'darwin'), ['open', page])
    assert.deepEqual(browserCommand(page, {}, 'win32'), ['rundll32', 'url.dll,FileProtocolHandler', page])
    assert.deepEqual(browserCommand(page, { DISPLAY: ':0' }, 'linux'), ['xdg-open', page])
    assert.deepEqual(browserCommand(page, { BROWSER: 'firefox' }, 'linux'), ['firefox', page])
  })
  it('is none where no page can be seen', () => assert.equal(browserCommand(page, {}, 'linux'), null))
})

describe('an address that somebody else names', () => {
  it('is trusted if it is https, or on this machine like the one who names it', () => {
    const [far, near] = ['https://api.example.com', 'http://127.0.0.1:8080']
    assert.ok(isTrustedUrl('https://issuer.example/x', far))
    assert.ok(isTrustedUrl('http://localhost:1/x', near))
    for (const url of [
      'http://localhost:1',
      'https://127.0.0.1',
      'https://[::1]',
      'http://issuer.example',
      'ftp://issuer.example',
      'https://a@issuer.example',
      '',
      7,
    ])
      assert.ok(!isTrustedUrl(url, far), String(url))
    assert.ok(!isTrustedUrl('http://127.0.0.1.example', near))
  })
})

describe('the file of the profiles', () => {
  it('is read only if wbs wrote it', () => {
    const profile = {
      url: 'https://a.example',
      workspace_id: null,
      credential: { kind: 'api_key', api_key: 'k' },
    }
    const file = (profiles: unknown) => JSON.stringify({ version: 1, current: 'a', profiles })
    assert.deepEqual(readProfiles(file({ a: profile }))?.byName.get('a'), profile)
    for (const profiles of [
      [],
      null,
      { a: {} },
      { a: { ...profile, url: 'x' } },
      { a: { ...profile, credential: { kind: 'session' } } },
    ])
      assert.equal(readProfiles(file(profiles)), null)
    for (const text of ['', '{', 'null', '{"version":2,"profiles":{}}'])
      assert.equal(readProfiles(text), null)
  })

  it('loses no change of several at once, and is whole at any moment', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wbs-profiles-'))
    try {
      const store = openProfileStore(join(folder, 'wbs'))
      const names = Array.from({ length: 12 }, (_, at) => `p${at}`)
      await Promise.all(
        names.map(name =>
          store.change(async (profiles, save) => {
            profiles.byName.set(name, {
              url: 'https://a.example',
              workspace_id: null,
              credential: { kind: 'api_key', api_key: name },
            })
            await save()
            assert.notEqual(readProfiles(await readFile(store.file, 'utf8')), null)
          }),
        ),
      )
      assert.deepEqual([...(await store.read()).byName.keys()].toSorted(), names.toSorted())
      assert.equal((await stat(store.file)).mode & 0o777, 0o600)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is free again when the process that held it is killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wbs-profiles-'))
    try {
      const [lock, program] = [join(folder, 'lock'), join(folder, 'holds.mjs')]
      await writeFile(lock, '')
      const source = new URL('../../src/profiles/process-lock.ts', import.meta.url).href
      await writeFile(
        program,
        `import { withProcessLock } from ${JSON.stringify(source)}
await withProcessLock(${JSON.stringify(lock)}, () => { process.send('held'); return new Promise(() => setInterval(() => {}, 1000)) })`,
      )
      const holder = fork(program)
      await new Promise(resolve => holder.once('message', resolve))
      let entered = false
      const waiting = withProcessLock(lock, async () => (entered = true))
      await new Promise(resolve => setTimeout(resolve, 100))
      assert.equal(entered, false)
      holder.kill('SIGKILL')
      await waiting
      assert.equal(entered, true)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
