// Tries what a process that reads hostile content must not be able to do, and tells what happened.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

const [root = ''] = process.argv.slice(2)
const attempts: Record<string, () => unknown> = {
  'read /etc/passwd': () => readFileSync('/etc/passwd'),
  'list the root': () => readdirSync('/'),
  'read the environment of the service': () => readFileSync(`/proc/${process.ppid}/environ`),
  'read other code': () => readFileSync(`${root}/packages/server/src/config.ts`),
  'write a file': () => writeFileSync('/tmp/written-by-the-probe', 'x'),
  'write into its own folder': () => writeFileSync(new URL('./written-by-the-probe', import.meta.url), 'x'),
  'start a process': () => spawnSync('/bin/true'),
  'start a thread': () => new Worker('', { eval: true }),
  'compile text': () => Reflect.construct(Function, ['return 1']),
}

function outcomeOf(attempt: () => unknown): string {
  try {
    attempt()
    return 'done'
  } catch (error) {
    const { code, name } = error as { code?: string; name: string }
    return code ?? name
  }
}

const outcomes = Object.fromEntries(
  Object.entries(attempts).map(([name, attempt]) => [name, outcomeOf(attempt)]),
)
process.stdout.write(JSON.stringify({ outcomes, environment: process.env }))
