import { spawn, spawnSync, type ChildProcess } from 'node:child_process'

/**
 * Starts a program that ends with the script. What it writes is shown if it ends by itself. Throws an Error that says which
 * package has the program if it is missing.
 */
export function startProgram(
  running: AsyncDisposableStack,
  { name, debian }: { name: string; debian: string },
  args: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  if (spawnSync(name, ['-v']).error)
    throw new Error(`${name} is not installed here. In Debian it is in the package ${debian}.`)
  const child = spawn(name, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let told = ''
  child.stdout.on('data', (text: Buffer) => (told += text))
  child.stderr.on('data', (text: Buffer) => (told += text))
  let isExpected = false
  const ended = new Promise<void>(resolve =>
    child.once('exit', code => {
      if (!isExpected) console.error(`${name} ended (${code}):\n${told}`)
      resolve()
    }),
  )
  running.defer(() => {
    isExpected = true
    child.kill('SIGTERM')
    return ended
  })
  return child
}
