import { defaultUrl, environment, namedUrl, readAccess } from './config.ts'
import { interruptSignal } from './interruption.ts'
import type { Surroundings } from './operations/surroundings.ts'

/** The process as the commands of operations use it. */
export function processSurroundings(): Surroundings {
  process.stdout.on('error', () => undefined) // each write reports its own
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: environment(),
    access: readAccess,
    url: flags => namedUrl(flags) ?? defaultUrl,
    interruption: interruptSignal,
  }
}
