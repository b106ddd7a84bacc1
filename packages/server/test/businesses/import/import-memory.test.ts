import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { after, before, test } from 'node:test'
import { finished } from 'node:stream/promises'
import { proofRuns } from '../../harness/proof.ts'
import { columns, openBench } from './import-harness.ts'
import type { ImportBench } from './import-harness.ts'

let bench: ImportBench
before(async () => void (bench = await openBench()))
after(() => bench[Symbol.asyncDispose]())

const rows = proofRuns({ full: 200_000, short: 80_000 })

/** 450 bytes for each row, together far more than the heap that the import gets. Every tenth row is rejected, every tenth one a duplicate. */
async function writeLargeFile(path: string): Promise<void> {
  const file = createWriteStream(path)
  const description = 'Whatever there is to say of it. '.repeat(12)
  file.write(`${columns}\n`)
  for (let at = 0; at < rows; at += 1000) {
    let piece = ''
    for (let n = at; n < at + 1000; n++)
      piece += `demo,${n % 10 === 1 ? n - 1 : n},Business number ${n} LLC,${n % 10 === 2 ? 'odd' : 'active'},,,,,GA,,,,,,${description}\n`
    if (!file.write(piece)) await once(file, 'drain')
  }
  await finished(file.end())
}

test('a file much larger than the memory can be imported', { timeout: 300_000 }, async () => {
  const path = await bench.file('', 'large.csv')
  await writeLargeFile(path)
  // Drafts, so that the time goes to what this is about. Half of the heap is node's own to begin with.
  const script = `
    import { importBusinesses } from ${JSON.stringify(import.meta.resolve('../../../src/businesses/import/import-businesses.ts'))}
    import { connectWriter } from ${JSON.stringify(import.meta.resolve('../../../src/database/database.ts'))}
    const { address, ...options } = JSON.parse(process.argv[1])
    console.log(JSON.stringify(await importBusinesses({ ...options, connect: () => connectWriter(address), sendJobs: async () => {} })))`
  const options = {
    address: bench.database.address,
    files: [path],
    publish: false,
    rejectsFile: bench.rejectsFile,
    sourceCatalogue: bench.sources,
  }
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=48', '--input-type=module', '--eval', script, JSON.stringify(options)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text))
  const [code] = await once(child, 'close')
  assert.equal(code, 0, 'it ran out of memory')
  const { seconds: _seconds, ...result } = JSON.parse(output)
  assert.deepEqual(result, {
    read: rows,
    created: rows * 0.8,
    updated: 0,
    unchanged: 0,
    rejected: rows * 0.2,
    reasons: { unknown_status: rows * 0.1, duplicate: rows * 0.1 },
  })
})
