import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordAll } from '../../packages/server/test/operations/examples/record-operations.ts'
import { recordProblems } from '../../packages/server/test/operations/examples/record-problems.ts'
import { onTestServer } from '../test-run/on-test-server.ts'

/** Runs a service, performs every operation, and writes what was sent and answered into a folder, a file for each slice. */
export const recordExamples = (folder: string): Promise<void> =>
  onTestServer(async () => {
    const recorded = { ...(await recordAll()), problems: await recordProblems() }
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    for (const [name, examples] of Object.entries(recorded))
      await writeFile(join(folder, `${name}.json`), `${JSON.stringify(examples, null, 2)}\n`)
  })
