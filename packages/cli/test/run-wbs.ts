import { execFile, type ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInOneProcess } from './one-process/run-in-one-process.ts'

const wbs = new URL('../src/wbs.ts', import.meta.url).pathname

/** A folder that does not exist, so that no profile of whoever runs the tests is used. */
const noProfiles = join(tmpdir(), 'wbs-no-profiles')

export interface Ended {
  code: number | string
  stdout: string
  stderr: string
}

/** Runs the tool on a data folder, or with the given environment. */
export function runWbs(
  where: string | Readonly<Record<string, string>>,
  args: readonly string[],
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  return new Promise(resolve => {
    const env = environmentOf(where)
    const child = execFile(process.execPath, [wbs, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? String(error.signal)) : 0, stdout, stderr }),
    )
    onStart(child)
  })
}

/** The same in one process for all such runs, which start ten times as fast. */
export const runWbsQuickly = (
  where: string | Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Ended> => runInOneProcess({ args, env: environmentOf(where), cwd: process.cwd(), stdin: '' })

function environmentOf(where: string | Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, BLOBS_URL: _blobs, ...inherited } = process.env
  return {
    ...inherited,
    XDG_CONFIG_HOME: noProfiles,
    ...(typeof where === 'string' ? { SVC_DATA_DIR: where } : where),
  }
}
