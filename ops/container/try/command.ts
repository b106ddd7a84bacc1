import { execFile, spawnSync } from 'node:child_process'

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

interface Options {
  /** The user and group to run as. */
  as?: { uid: number; gid: number }
  cwd?: string
  /** Nothing is shown of a command that is expected to fail. */
  mayFail?: boolean
}

/** Runs a program and waits for its end. Throws an Error with what it said if it fails, unless it may. */
export function run(program: string, args: string[], options: Options = {}): Promise<Ended> {
  const { as, cwd, mayFail = false } = options
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...as, cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      if (code === 0 || mayFail) return resolve({ code, stdout, stderr })
      const said = [stdout, stderr].join('\n').trim().split('\n').slice(-30).join('\n')
      reject(new Error(`${program} ${args.slice(0, 3).join(' ')} … ended with ${code}:\n${said}`))
    })
  })
}

/** Which of the programs are missing; the value is the Debian package that has it. */
export function missingPrograms(programs: Record<string, string>): string[] {
  return Object.entries(programs)
    .filter(([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
    .map(([program, packaged]) => `${program} (package ${packaged})`)
}
