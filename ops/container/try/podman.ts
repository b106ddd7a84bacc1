import { readFileSync } from 'node:fs'
import { run, type Ended } from './command.ts'

/** How containers run on this machine. */
export interface Podman {
  runtime: string
  /** Runs a container to its end. */
  once(image: string, options: ContainerOptions, command?: string[]): Promise<Ended>
  /** Starts a container that stays. */
  start(image: string, options: ContainerOptions): Promise<Container>
}

export interface ContainerOptions {
  env: Record<string, string>
  mounts?: string[]
}

export interface Container {
  name: string
  /** The process id of the service, as this machine sees it. */
  pid: number
  logs(): Promise<string>
  exec(command: string[]): Promise<Ended>
  /** Runs the health check that the image names. */
  healthCheck(): Promise<Ended>
  /** Sends SIGTERM as `podman stop` does, and waits for the end. */
  stop(seconds: number): Promise<{ code: number; seconds: number }>
  remove(): Promise<void>
}

/** As an operator would run it: nothing can be written outside of mounts and /tmp, and nothing gains a right. */
const hardened = [
  '--network=host',
  '--read-only',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--memory=1g',
  '--pull=never',
]

/** Finds a runtime with which podman can run a container here. Throws with what each one said. */
export async function findPodman(image: string, asked?: string): Promise<Podman> {
  const said: string[] = []
  for (const runtime of asked === undefined ? ['crun', 'runc'] : [asked]) {
    const podman = podmanWith(runtime)
    const { code, stderr } = await podman.once(image, { env: {} }, ['node', '--version'])
    if (code === 0) return podman
    said.push(`${runtime}: ${stderr.trim().split('\n').at(-1)}`)
  }
  throw new Error(`podman can run no container on this machine.\n${said.join('\n')}`)
}

function podmanWith(runtime: string): Podman {
  // Without systemd podman complains about each container that it can run no health check by itself.
  const quiet = ['--log-level=fatal', '--runtime', runtime]
  const podman = (...args: string[]) => run('podman', [...quiet, ...args])
  const flags = ({ env, mounts = [] }: ContainerOptions) => [
    ...hardened,
    ...limits(),
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    ...mounts.map(mount => `--mount=${mount}`),
  ]
  return {
    runtime,
    once: (image, options, command = []) =>
      run('podman', [...quiet, 'run', '--rm', ...flags(options), image, ...command], {
        mayFail: true,
      }),
    async start(image, options) {
      const name = `wbs-check-${process.pid}-${Math.random().toString(36).slice(2, 8)}`
      await podman('run', '--detach', `--name=${name}`, ...flags(options), image)
      const { stdout } = await podman('inspect', '--format={{.State.Pid}}', name)
      return {
        name,
        pid: Number(stdout),
        logs: async () => (({ stdout: out, stderr }) => out + stderr)(await podman('logs', name)),
        exec: command => run('podman', [...quiet, 'exec', name, ...command], { mayFail: true }),
        healthCheck: () => run('podman', [...quiet, 'healthcheck', 'run', name], { mayFail: true }),
        async stop(seconds) {
          const start = performance.now()
          await podman('stop', `--time=${seconds}`, name)
          const { stdout: code } = await podman('inspect', '--format={{.State.ExitCode}}', name)
          return { code: Number(code), seconds: (performance.now() - start) / 1000 }
        },
        remove: async () => void (await podman('rm', '--force', '--ignore', '--time=5', name)),
      }
    },
  }
}

/** The limits of this process: podman's own may be higher than a sandbox allows. */
function limits(): string[] {
  const text = readFileSync('/proc/self/limits', 'utf8')
  const hard = (title: string) => new RegExp(`^${title}\\s+\\S+\\s+(\\S+)`, 'm').exec(text)?.[1]
  const [files, processes] = [hard('Max open files'), hard('Max processes')]
  const flag = (name: string, value: string | undefined, most: number) => {
    if (value === undefined || !/^\d+$/.test(value)) return []
    const number = Math.min(Number(value), most)
    return [`--ulimit=${name}=${number}:${number}`]
  }
  return [...flag('nofile', files, 20_000), ...flag('nproc', processes, 32_768)]
}
