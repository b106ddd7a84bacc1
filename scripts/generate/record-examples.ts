import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordAll } from '../../packages/server/test/operations/examples/record-operations.ts'
import { recordProblems } from '../../packages/server/test/operations/examples/record-problems.ts'
import { prepareTestServer } from '../../packages/server/test/harness/postgres/test-server.ts'
import { makeScratchFolder } from '../test-run/scratch-folder.ts'

/** Runs a service, performs every operation, and writes what was sent and answered into a folder, a file for each slice. */
export async function recordExamples(folder: string): Promise<void> {
  const scratch = makeScratchFolder()
  const server = await prepareTestServer({ databaseUrl: process.env.DATABASE_URL || null, folder: scratch })
  try {
    Object.assign(process.env, server.environment, { TMPDIR: scratch })
    const recorded = { ...(await recordAll()), problems: await recordProblems() }
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    for (const [name, examples] of Object.entries(recorded))
      await writeFile(join(folder, `${name}.json`), `${JSON.stringify(examples, null, 2)}\n`)
  } finally {
    await server.close()
    await rm(scratch, { recursive: true, force: true })
  }
}
