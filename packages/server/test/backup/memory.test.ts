import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { after, before, it } from 'node:test'
import { promisify } from 'node:util'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'
import { notDrawn } from '../harness/proof.ts'
import { openFileWriter } from './file-writer.ts'
import { openBackupBench, sqlOn, type BackupBench } from './backup-fixture.ts'

let bench: BackupBench
before(async () => void (bench = await openBackupBench()))
after(() => bench[Symbol.asyncDispose]())

const module = (name: string) => JSON.stringify(import.meta.resolve(`../../src/backup/${name}.ts`))

/** Backs up and restores in a process of its own, and gives its peak memory in megabytes. */
async function peak(source: DatabaseAddress, target: DatabaseAddress, file: string): Promise<number> {
  const script = `
    import { backUp } from ${module('write-backup')}
    import { restoreBackup } from ${module('restore-backup')}
    import { createFilesystemStore } from ${JSON.stringify(import.meta.resolve('../../src/blobs/filesystem/filesystem-store.ts'))}
    const { source, target, file, blobs } = JSON.parse(process.argv[2])
    const backup = await backUp({ address: source, file, store: createFilesystemStore(blobs) })
    const store = createFilesystemStore(file + '.blobs')
    await restoreBackup({ address: target, backup, store })
    await store.close()
    console.log(process.resourceUsage().maxRSS)`
  const given = JSON.stringify({ source, target, file, blobs: bench.path('blobs') })
  const main = bench.path('peak.mjs')
  await writeFile(main, script)
  const args = ['--max-old-space-size=48', main, given]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout) / 1024
}

it(
  'the memory that a backup and a restore take does not grow with the database or with content',
  { timeout: 300_000, skip: notDrawn() },
  async () => {
    const source = await bench.target()
    const small = await peak(source, await bench.target(), bench.path('small.tar.gz'))
    // 160 MB, and one row that is larger than a chunk.
    await sqlOn(
      source,
      `insert into users (id, issuer, subject, name)
     select gen_random_uuid(), 'https://issuer.example', n::text, repeat(md5(n::text), case n when 1 then 200000 else 32 end)
     from generate_series(1, 150000) n`,
    )
    await using files = await openFileWriter(source, bench.store)
    for (let n = 0; n < 500; n++) await files.add(randomBytes(2000))
    await files.add(randomBytes(120_000_000))
    const target = await bench.target()
    const large = await peak(source, target, bench.path('large.tar.gz'))
    assert.equal((await sqlOn(target, 'select from users')).length, 150_001)
    assert.ok(large - small < 125, `${Math.round(small)} MB became ${Math.round(large)} MB`)
  },
)
