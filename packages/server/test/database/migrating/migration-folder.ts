import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const shipped = new URL('../../../src/database/migrations/', import.meta.url)

/** A copy of the migrations, which a test can add to and change. */
export async function migrationFolder(test: { after(hook: () => Promise<void>): void }) {
  const path = await mkdtemp(join(tmpdir(), 'wbs-migrations-'))
  test.after(() => rm(path, { recursive: true }))
  await cp(shipped, path, { recursive: true })
  return {
    url: pathToFileURL(`${path}/`),
    write: (name: string, text: string) => writeFile(join(path, name), text),
  }
}
