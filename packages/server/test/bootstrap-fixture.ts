import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

const SCRIPTS = new URL('../../../scripts/', import.meta.url)
const OTHER_PLATFORM = { os: ['plan9'], cpu: [process.arch] }
const THIS_PLATFORM = { os: [process.platform], cpu: [process.arch] }
export const LOCKED = {
  '': { name: 'fixture' },
  'packages/server': { name: '@fixture/server' },
  'node_modules/needed': { version: '1.0.0' },
  'node_modules/tool': { version: '2.0.0', dev: true },
  'node_modules/ours': { version: '3.0.0', optional: true, ...THIS_PLATFORM },
  'node_modules/theirs': { version: '3.0.0', optional: true, ...OTHER_PLATFORM },
}

/** A project with the bootstrap, whose npm is a stand-in that notes its arguments and installs empty folders. */
export function fixture(t: TestContext): string {
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

/** Locks a program made for this machine, puts its archive where the fake npm has it; answers where npm's cache would. */
export function withProgram(root: string): string {
  for (const [file, text] of [
    ['bin/program', 'runs'],
    ['include/program.h', 'unused'],
  ] as const) {
    mkdirSync(join(root, 'package', dirname(file)), { recursive: true })
    writeFileSync(join(root, 'package', file), text)
  }
  execFileSync('tar', ['-czf', 'program.tgz', 'package'], { cwd: root })
  const digest = createHash('sha512')
    .update(readFileSync(join(root, 'program.tgz')))
    .digest()
  const integrity = `sha512-${digest.toString('base64')}`
  const program = { version: '4.0.0', integrity, optional: true, ...THIS_PLATFORM }
  const packages = { ...LOCKED, 'node_modules/@big/program': program }
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
  const hex = digest.toString('hex')
  return join(root, 'cache/_cacache/content-v2/sha512', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4))
}

const FAKE_NPM = `
  const fs = require('node:fs')
  const args = process.argv.slice(2)
  fs.appendFileSync('npm/runs', args.join(' ') + '\\n')
  console.log('added packages')
  const mode = process.env.FAKE_NPM
  if (args[0] === 'pack') {
    fs.copyFileSync('program.tgz', args.at(-1) + '/big-program-4.0.0.tgz')
    process.exit()
  }
  if (mode === 'fail') { console.error('npm error'); process.exit(1) }
  if (mode === 'hang') setInterval(() => {}, 1000)
  else setTimeout(install, mode === 'slow' ? 1000 : 0)
  function install() {
    const wanted = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')).packages
    const packages = {}
    for (const [at, entry] of Object.entries(wanted)) {
      if (!at.startsWith('node_modules/') || entry.os?.includes('plan9')) continue
      if (entry.dev && args.includes('--omit=dev')) continue
      if (entry.optional && args.includes('--omit=optional')) continue
      packages[at] = entry
      fs.mkdirSync(at, { recursive: true })
    }
    fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
  }`

export function installByHand(root: string, names: readonly string[]) {
  const all: Record<string, object> = LOCKED
  for (const name of names) mkdirSync(join(root, 'node_modules', name), { recursive: true })
  const packages = Object.fromEntries(
    names.map(name => [`node_modules/${name}`, all[`node_modules/${name}`]]),
  )
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
}

export function npmRuns(root: string): string[] {
  const log = join(root, 'npm/runs')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

export function writeEntry(root: string, code: string) {
  writeFileSync(join(root, 'packages/server/src/main.ts'), code)
}

export const counting = (signal: string) => `
  let count = 0
  process.on('${signal}', () => {
    if (++count === 1) setTimeout(() => { console.log('${signal}', count); process.exit(3) }, 500)
  })
  console.log('up')
  setInterval(() => {}, 1000)`

// Nothing of the npm that may run these tests.
export function environment(root: string): Record<string, string | undefined> {
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

export const bootstrap = (root: string, args: string[], env = {}) => begin(root, args, env).ended

export function begin(root: string, args: string[], env = {}): Begun {
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
export function listenTo(child: ChildProcess): Begun {
  const said = { out: '', err: '' }
  child.stdout?.on('data', chunk => (said.out += String(chunk)))
  child.stderr?.on('data', chunk => (said.err += String(chunk)))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, ...said }))
  return { child, said, ended }
}
