import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { browser, type Page } from '../../../server/test/identity/browser.ts'
import { runInOneProcess } from '../one-process/run-in-one-process.ts'
import type { Ended } from '../run-wbs.ts'

const wbs = new URL('../../src/wbs.ts', import.meta.url).pathname

/** A command that runs. */
export interface Running {
  child: ChildProcess
  said: { stdout: string; stderr: string }
  ended: Promise<Ended>
  /** The part of stderr that a pattern's first group matches, as soon as it is there. */
  told(pattern: RegExp): Promise<string>
}

/** A person's terminal, with settings of their own. */
export interface Terminal {
  folder: string
  file: string
  /** Starts it in a process of its own. */
  start(args: readonly string[], more?: { env?: Record<string, string>; stdin?: string }): Running
  /** Runs it in one process for all runs: one at a time. */
  run(args: readonly string[], more?: { env?: Record<string, string>; stdin?: string }): Promise<Ended>
  /** The stored profiles. */
  stored(): Promise<Stored>
  store(change: (stored: Stored) => void): Promise<void>
  /** Signs a sample user in, in the browser, and gives how the command ended. */
  signIn(url: string, user?: string, args?: readonly string[]): Promise<Ended>
  remove(): Promise<void>
}

export interface Stored {
  version: number
  current: string | null
  profiles: Record<
    string,
    { url: string; workspace_id: string | null; credential: Record<string, string | null> }
  >
}

export async function openTerminal(): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-terminal-'))
  const file = join(folder, 'wbs/profiles.json')
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(WBS_|SVC_|DATABASE_URL|BROWSER|DISPLAY|WAYLAND)/.test(name),
    ),
  )
  const stored = async () => JSON.parse(await readFile(file, 'utf8')) as Stored
  const environment = (env: Record<string, string>) => ({
    ...inherited,
    XDG_CONFIG_HOME: folder,
    SVC_DATA_DIR: join(folder, 'none'),
    ...env,
  })
  const self: Terminal = {
    folder,
    file,
    stored,
    start(args, { env = {}, stdin } = {}) {
      const child = spawn(process.execPath, [wbs, ...args], {
        cwd: folder,
        env: environment(env),
        stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      })
      child.stdin?.end(stdin)
      const said = { stdout: '', stderr: '' }
      child.stdout?.on('data', (text: Buffer) => (said.stdout += text))
      child.stderr?.on('data', (text: Buffer) => (said.stderr += text))
      const ended = new Promise<Ended>(resolve =>
        child.on('close', (code, signal) => resolve({ code: code ?? String(signal), ...said })),
      )
      async function told(pattern: RegExp): Promise<string> {
        for (;;) {
          const found = pattern.exec(said.stderr)?.[1]
          if (found !== undefined) return found
          if (child.exitCode !== null || child.signalCode !== null)
            throw new Error(`It has ended: ${said.stderr}`)
          await sleep(20)
        }
      }
      return { child, said, ended, told }
    },
    run: (args, { env = {}, stdin = '' } = {}) =>
      runInOneProcess({ args, env: environment(env), cwd: folder, stdin }),
    async store(change) {
      const now = await stored()
      change(now)
      await writeFile(file, JSON.stringify(now))
      await chmod(file, 0o600)
    },
    async signIn(url, user = 'owner', args = []) {
      const wanted = { args: ['login', '--url', url, ...args], env: environment({}), cwd: folder, stdin: '' }
      const page = Promise.withResolvers<string>()
      const ended = runInOneProcess(wanted, ({ stderr }) => {
        const told = pagePattern.exec(stderr)?.[1]
        if (told !== undefined) page.resolve(told)
      })
      void ended.then(({ stderr }) => page.reject(new Error(`It has ended: ${stderr}`)), page.reject)
      const { url: callback } = await signInAt(await page.promise, user)
      await (await fetch(callback)).text()
      return ended
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
  return self
}

/** The page that a command names. */
export const pagePattern = /^(https?:\S+)\n/m

/** Chooses a sample user on the page of the development provider. The result is the callback, which is not requested. */
export async function signInAt(page: string, user: string): Promise<Page> {
  const visitor = browser(new URL(page).origin)
  return visitor.submit(await visitor.go(page), { user })
}

/** All strings of the stored profiles that nobody else may see. */
export const secretsOf = ({ profiles }: Stored): string[] =>
  Object.values(profiles).flatMap(({ credential }) =>
    ['access_token', 'refresh_token', 'api_key'].flatMap(name => credential[name] ?? []),
  )
