import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClamdAddress } from '../../../src/inspection/inspection-settings.ts'
import { fillFromPrepared } from '../postgres/prepared-folder.ts'
import { librariesIn, unpackClamd } from './programs.ts'

/** The test file that every scanner knows, in two parts so that this source is not taken for it. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** The largest content that the scanner of tests accepts. */
export const streamMaxLength = 1_048_576

export interface ClamdServer {
  address: ClamdAddress
  stop(): Promise<void>
}

/** Starts a real clamd that knows one signature. Gives the reason if the machine cannot have one. */
export async function startClamd(): Promise<ClamdServer | string> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-clamd-'))
  try {
    await fillFromPrepared(folder, 'clamd', unpackClamd)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    return `clamd cannot be downloaded by apt-get: ${(error as Error).message.split('\n')[0]}`
  }
  return run(folder)
}

async function run(folder: string): Promise<ClamdServer> {
  const path = join(folder, 'clamd.sock')
  const signatures = join(folder, 'signatures')
  const settings = join(folder, 'clamd.conf')
  await mkdir(signatures)
  await writeFile(join(signatures, 'test.hdb'), '44d88612fea8a8f36de82e1278abb02f:68:Eicar-Test-Signature\n')
  await writeFile(
    settings,
    `LocalSocket ${path}\nDatabaseDirectory ${signatures}\nForeground yes\nStreamMaxLength 1M\nTemporaryDirectory ${folder}\n`,
  )
  const child = spawn(join(folder, 'usr/sbin/clamd'), ['--config-file', settings], {
    env: { LD_LIBRARY_PATH: await librariesIn(folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await listens(child, path)
    return { address: { path }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function listens(child: ChildProcess, path: string): Promise<void> {
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk))
  while (!(await accepts(path))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`clamd did not start: ${said}`)
    await sleep(50)
  }
}

const accepts = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ path })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
