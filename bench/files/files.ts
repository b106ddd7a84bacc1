import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startService } from '../mutations/mutations-services.ts'
import { writeResults } from '../results.ts'
import type { FilesBench } from './files-bench.ts'
import { measureInspections } from './inspections.ts'
import { measureTexts } from './texts.ts'
import { measureTransfers } from './transfers.ts'

const benches: Record<string, (bench: FilesBench) => Promise<object>> = {
  transfers: measureTransfers,
  texts: measureTexts,
  inspections: measureInspections,
}

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))

/**
 * Measures Files: `transfers` of one large File; `texts`, small text Files that are created; and `inspections` of documents beside
 * hostile ones. One of them if it is named, all by default. Each has its own service and its own file of results.
 */
export async function run(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      mib: { type: 'string', default: '1024' },
      data: { type: 'string', default: tmpdir() },
    },
  })
  const names = positionals.length > 0 ? positionals : Object.keys(benches)
  for (const name of names) {
    const measure = benches[name]
    if (!measure) throw new Error(`There is no bench of Files called ${name}.`)
    const folder = await mkdtemp(join(values.data, 'wbs-bench-'))
    await using running = new AsyncDisposableStack()
    running.defer(() => rm(folder, { recursive: true, force: true }))
    const service = await startService(main, folder)
    running.defer(() => service.stop())
    const { rounds, seconds, mib } = values
    const figures = await measure({
      service,
      folder,
      rounds: Number(rounds),
      seconds: Number(seconds),
      mib: Number(mib),
    })
    const all = { ...figures, memory_mib: service.memory() }
    console.log(JSON.stringify(all, null, 2))
    console.error(`# written to ${writeResults(`files-${name}`, all)}`)
  }
}
