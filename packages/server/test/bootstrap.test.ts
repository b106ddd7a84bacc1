import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const SCRIPTS = new URL('../../../scripts/', import.meta.url)
const OTHER_PLATFORM = { os: ['plan9'], cpu: [process.arch] }
const THIS_PLATFORM = { os: [process.platform], cpu: [process.arch] }
const LOCKED = {
  '': { name: 'fixture' },
  'packages/server': { name: '@fixture/server' },
  'node_modules/needed': { version: '1.0.0' },
  'node_modules/tool': { version: '2.0.0', dev: true },
  'node_modules/ours': { version: '3.0.0', optional: true, ...THIS_PLATFORM },
  'node_modules/theirs': { version: '3.0.0', optional: true, ...OTHER_PLATFORM },
}
const PRODUCTION = ['needed', 'ours']
const isLinux = process.platform === 'linux'
const ALL = [...PRODUCTION, 'tool']

describe('what the bootstrap installs', { timeout: 60_000 }, () => {
  test('on a fresh machine the production dependencies for start, said in one line that leaves stdout alone', async t => {
    const root = fixture(t)
    const ended = await bootstrap(root, ['start'])
    assert.deepEqual(ended, {
      code: 0,
      signal: null,
      out: 'ran []\n',
      err: 'Installing dependencies (first run)…\n',
    })
    assert.match(npmRuns(root).join(), /^install --no-save --omit=dev /)
  })

  test('nothing the second time', async t => {
    const root = fixture(t)
    await bootstrap(root, ['start'])
    assert.equal((await bootstrap(root, ['start'])).err, '')
    assert.equal((await bootstrap(root, ['wbs'])).err, '')
    assert.equal(npmRuns(root).length, 1)
  })

  test('the rest when a command needs it, beside what may be in use, and never less again', async t => {
    const root = fixture(t)
    await bootstrap(root, ['start'])
    writeFileSync(join(root, 'node_modules/needed/in-use'), '')
    assert.equal((await bootstrap(root, ['test'])).err, 'Updating dependencies…\n')
    assert.match(npmRuns(root)[1]!, /--include=dev/)
    assert.ok(existsSync(join(root, 'node_modules/needed/in-use')))
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({ packages: { ...LOCKED, 'node_modules/new': { version: '1.0.0' } } }),
    )
    await bootstrap(root, ['start'])
    assert.match(npmRuns(root)[2]!, /--include=dev/)
  })

  for (const [what, names, asked, runs] of [
    ['all', ALL, 'test', 0],
    ['the production dependencies', PRODUCTION, 'start', 0],
    ['the production dependencies alone', PRODUCTION, 'test', 1],
    ['too little for the platform', ['needed', 'tool'], 'start', 1],
  ] as const) {
    test(`${runs === 0 ? 'nothing' : 'what is missing'} for ${asked} when somebody installed ${what}`, async t => {
      const root = fixture(t)
      installByHand(root, names)
      assert.equal((await bootstrap(root, [asked])).code, 0)
      assert.equal(npmRuns(root).length, runs)
    })
  }

  test('everything again when somebody removed packages behind our back or another version is locked', async t => {
    const root = fixture(t)
    await bootstrap(root, ['test'])
    installByHand(root, PRODUCTION) // as `npm prune` leaves it, with our stamp still there
    await bootstrap(root, ['test'])
    assert.equal(npmRuns(root).length, 2)
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({ packages: { ...LOCKED, 'node_modules/needed': { version: '1.0.1' } } }),
    )
    await bootstrap(root, ['test'])
    assert.equal(npmRuns(root).length, 3)
  })

  test('from nothing after an installation that was killed, whose packages may be half unpacked', async t => {
    const root = fixture(t)
    await bootstrap(root, ['start'])
    const { child, ended } = begin(root, ['test'], { FAKE_NPM: 'hang' })
    await until(() => npmRuns(root).length === 2)
    process.kill(-child.pid!, 'SIGKILL')
    await ended
    mkdirSync(join(root, 'node_modules/tool/half'), { recursive: true })
    assert.equal((await bootstrap(root, ['start'])).err, '', 'what was whole before serves on')
    assert.equal((await bootstrap(root, ['test'])).code, 0)
    assert.equal(existsSync(join(root, 'node_modules/tool/half')), false)
    assert.equal(existsSync(join(root, '.wbs-installing')), false)
  })

  test('one time when two processes need it at once', async t => {
    const root = fixture(t)
    const slow = { FAKE_NPM: 'slow' }
    const ended = await Promise.all([bootstrap(root, ['start'], slow), bootstrap(root, ['wbs'], slow)])
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0],
    )
    assert.equal(npmRuns(root).length, 1)
    assert.match(ended.map(({ err }) => err).join(''), /Waiting for another process/)
  })

  test('also when the lock of a dead process is in the way, whether or not it tells its owner', async t => {
    const root = fixture(t)
    const lock = join(root, '.wbs-installing')
    mkdirSync(lock)
    writeFileSync(join(lock, 'owner.json'), JSON.stringify({ pid: process.pid, since: 'long ago' }))
    assert.equal((await bootstrap(root, ['start'])).code, 0)
    rmSync(join(root, 'node_modules'), { recursive: true })
    mkdirSync(lock)
    utimesSync(lock, 1, 1)
    assert.equal((await bootstrap(root, ['start'])).code, 0)
    assert.equal(npmRuns(root).length, 2)
  })

  test('a failure of npm ends in one sentence, and is tried again the next time', async t => {
    const root = fixture(t)
    const failed = await bootstrap(root, ['start'], { FAKE_NPM: 'fail' })
    assert.equal(failed.code, 1)
    assert.match(failed.err, /\nThe dependencies could not be installed \(see npm's message above\)\.\n$/)
    assert.equal((await bootstrap(root, ['start'])).code, 0)
  })

  test('an interrupted installation ends by the signal and stops npm', async t => {
    const root = fixture(t)
    const { child, ended } = begin(root, ['start'], { FAKE_NPM: 'hang' })
    await until(() => npmRuns(root).length === 1)
    child.kill('SIGTERM')
    assert.equal((await ended).signal, 'SIGTERM')
    assert.equal(existsSync(join(root, '.wbs-installing')), false)
  })
})

describe('what the bootstrap runs', { timeout: 60_000 }, () => {
  test("is the command's entry with its arguments, less npm's dashes, ending with its code", async t => {
    const root = fixture(t)
    writeEntry(root, 'console.log(JSON.stringify([process.argv.slice(2), process.env.PATH]));process.exit(7)')
    const { code, out } = await bootstrap(root, ['start', '--', 'a', '--', '--b'])
    const [args, path]: [string[], string] = JSON.parse(out)
    assert.equal(code, 7)
    assert.deepEqual(args, ['a', '--', '--b'])
    assert.ok(path.startsWith(`${join(root, 'node_modules/.bin')}:`))
  })

  test('runs on the pinned Node, or on this one where that cannot run', { skip: !isLinux }, async t => {
    const root = fixture(t)
    await bootstrap(root, ['start'])
    const pinned = join(root, `node_modules/node-linux-${process.arch}/bin/node`)
    mkdirSync(dirname(pinned), { recursive: true })
    writeFileSync(pinned, `#!/bin/sh\necho pinned; exec ${process.execPath} "$@"`, { mode: 0o755 })
    assert.equal((await bootstrap(root, ['start'])).out, 'pinned\nran []\n')
    writeFileSync(pinned, '#!/lib/of-another-libc\n')
    assert.equal((await bootstrap(root, ['start'])).out, 'ran []\n')
  })

  test('is refused in one sentence where there is no such command', async t => {
    const { code, err } = await bootstrap(fixture(t), ['stop'])
    assert.deepEqual(
      [code, err],
      [1, 'Unknown command; there are start, wbs, test, check, generate, bench.\n'],
    )
  })

  test('has its death by a signal passed on', async t => {
    const root = fixture(t)
    writeEntry(root, "process.kill(process.pid, 'SIGKILL')")
    assert.equal((await bootstrap(root, ['start'])).signal, 'SIGKILL')
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`gets a ${signal} once however often it comes, and may end in its own time`, async t => {
      const root = fixture(t)
      writeEntry(root, counting(signal))
      const { child, ended, said } = begin(root, ['start'])
      await until(() => said.out === 'up\n')
      child.kill(signal)
      child.kill(signal)
      const { code, out } = await ended
      assert.deepEqual([code, out], [3, `up\n${signal} 1\n`])
    })
  }

  test('does not outlive npm, even one that was killed with its shell left behind', async t => {
    const root = fixture(t)
    writeEntry(root, counting('SIGTERM'))
    await bootstrap(root, ['test']) // installs
    const script = `"$0" "$1" start; true`
    const npm = `require('node:child_process').spawn('/bin/sh', ['-c', ${JSON.stringify(script)}, ...process.argv.slice(1)], { stdio: 'inherit' })`
    const options = ['-e', npm, process.execPath, join(root, 'scripts/bootstrap.cjs')]
    const { child, ended, said } = listenTo(
      spawn(process.execPath, options, {
        env: { ...environment(root), npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    await until(() => said.out === 'up\n')
    child.kill('SIGKILL')
    assert.equal((await ended).out, 'up\nSIGTERM 1\n')
  })
})

/** A project with the bootstrap, whose npm is a stand-in that notes its arguments and installs empty folders. */
function fixture(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'wbs-bootstrap-'))
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  cpSync(new URL('bootstrap.cjs', SCRIPTS), join(root, 'scripts/bootstrap.cjs'))
  cpSync(new URL('bootstrap', SCRIPTS), join(root, 'scripts/bootstrap'), { recursive: true })
  for (const folder of ['packages/server/src', 'packages/cli/src', 'npm'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: LOCKED }))
  writeFileSync(join(root, 'npm/npm-cli.js'), FAKE_NPM)
  for (const entry of ['packages/server/src/main.ts', 'packages/cli/src/wbs.ts', 'scripts/test.ts']) {
    writeFileSync(join(root, entry), 'console.log("ran", process.argv.slice(2) satisfies string[])')
  }
  return root
}

const FAKE_NPM = `
  const fs = require('node:fs')
  const args = process.argv.slice(2)
  fs.appendFileSync('npm/runs', args.join(' ') + '\\n')
  console.log('added packages')
  const mode = process.env.FAKE_NPM
  if (mode === 'fail') { console.error('npm error'); process.exit(1) }
  if (mode === 'hang') setInterval(() => {}, 1000)
  else setTimeout(install, mode === 'slow' ? 1000 : 0)
  function install() {
    const wanted = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')).packages
    const packages = {}
    for (const [at, entry] of Object.entries(wanted)) {
      if (!at.startsWith('node_modules/') || entry.os?.includes('plan9')) continue
      if (entry.dev && args.includes('--omit=dev')) continue
      packages[at] = entry
      fs.mkdirSync(at, { recursive: true })
    }
    fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
  }`

function installByHand(root: string, names: readonly string[]) {
  const all: Record<string, object> = LOCKED
  for (const name of names) mkdirSync(join(root, 'node_modules', name), { recursive: true })
  const packages = Object.fromEntries(
    names.map(name => [`node_modules/${name}`, all[`node_modules/${name}`]]),
  )
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
}

function npmRuns(root: string): string[] {
  const log = join(root, 'npm/runs')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

function writeEntry(root: string, code: string) {
  writeFileSync(join(root, 'packages/server/src/main.ts'), code)
}

const counting = (signal: string) => `
  let count = 0
  process.on('${signal}', () => {
    if (++count === 1) setTimeout(() => { console.log('${signal}', count); process.exit(3) }, 500)
  })
  console.log('up')
  setInterval(() => {}, 1000)`

// Nothing of the npm that may run these tests.
function environment(root: string): Record<string, string | undefined> {
  return { PATH: process.env['PATH'], npm_execpath: join(root, 'npm/npm-cli.js') }
}

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

interface Begun {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
  readonly ended: Promise<Ended>
}

const bootstrap = (root: string, args: string[], env = {}) => begin(root, args, env).ended

function begin(root: string, args: string[], env = {}): Begun {
  return listenTo(
    spawn(process.execPath, [join(root, 'scripts/bootstrap.cjs'), ...args], {
      cwd: root,
      env: { ...environment(root), ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

/** Keeps what a process says, and tells when the last process that writes to the same pipes has ended. */
function listenTo(child: ChildProcess): Begun {
  const said = { out: '', err: '' }
  child.stdout?.on('data', chunk => (said.out += String(chunk)))
  child.stderr?.on('data', chunk => (said.err += String(chunk)))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, ...said }))
  return { child, said, ended }
}

async function until(holds: () => boolean) {
  for (const deadline = Date.now() + 30_000; !holds(); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`never came true: ${String(holds)}`)
  }
}
