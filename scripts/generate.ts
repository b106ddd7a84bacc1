import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openApiDocument } from '@wbs/contract/openapi'
import { format, type FormatOptions } from 'oxfmt'
import formatOptions from '../.oxfmtrc.json' with { type: 'json' }
import { dashboardFile } from '../ops/monitoring/dashboard/dashboard-file.ts'
import { problemsFile } from './generate/sdk/problems-file.ts'
import { tableFile } from './generate/sdk/table-file.ts'
import { typesFile } from './generate/sdk/types-file.ts'
import { stateMachinesDocument } from './generate/state-machines-document.ts'

const root = join(import.meta.dirname, '..')

/**
 * Writes the checked-in files that are generated from the registry of operations, and the dashboard. With --check it writes nothing, and
 * fails if one is out of date. With --examples it also records the examples of the OpenAPI document, before it writes that.
 */
const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { check: flag, examples: flag } })

await keepCurrent({
  'packages/sdk/src/generated/problems.ts': problemsFile,
  'packages/sdk/src/generated/table.ts': tableFile,
  'packages/sdk/src/generated/types.ts': typesFile,
})
// These use the generated files of the SDK, which have to name a new operation first.
if (values.examples) {
  const { recordExamples } = await import('./generate/record-examples.ts')
  await recordExamples(join(root, 'packages/contract/src/openapi/examples'))
}
const { matrixDocument } = await import('../packages/server/test/operations/matrix-document.ts')
await keepCurrent({
  'docs/api/openapi.json': () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/api/authorization-matrix.md': matrixDocument,
  'docs/api/state-machines.md': stateMachinesDocument,
  'docs/api/commands.md': commandsFile,
  'ops/monitoring/dashboard.json': dashboardFile,
})

/** Writes the files whose content is another one now. With --check it names them instead. */
async function keepCurrent(generated: Record<string, () => string>): Promise<void> {
  for (const [file, make] of Object.entries(generated)) {
    const path = join(root, file)
    const current = await readFile(path, 'utf8').catch(() => null)
    const wanted = file.endsWith('.ts') || file.startsWith('ops/') ? await formatted(file, make()) : make()
    if (current === wanted) continue
    if (values.check) {
      console.log(`${file} is ${current === null ? 'missing' : 'stale'}: run npm run generate`)
      process.exitCode = 1
    } else {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, wanted)
      console.log(`${file} written`)
    }
  }
}

async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, formatOptions as FormatOptions)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  return code
}

/** What `wbs reference` prints. */
function commandsFile(): string {
  const wbs = join(root, 'packages/cli/src/wbs.ts')
  return execFileSync(process.execPath, [wbs, 'reference'], { encoding: 'utf8' })
}
