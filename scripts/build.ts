import { spawnSync } from 'node:child_process'
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from '../packages/sdk/package.json' with { type: 'json' }
import { sdkManifest } from './build/sdk-manifest.ts'

/** Builds the package that projects outside the repository install: @wbs/sdk, into packages/sdk/dist or --out. */
const root = join(import.meta.dirname, '..')
const sdk = join(root, 'packages/sdk')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(sdk, 'dist') } } })
const out = join(values.out)

await rm(out, { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(
  process.execPath,
  [compiler, '--project', join(sdk, 'tsconfig.build.json'), '--outDir', join(out, 'lib')],
  { stdio: 'inherit' },
)
if (status !== 0) process.exit(1)

// The compiler writes .js into programs, but leaves .ts in declarations.
for await (const file of glob('lib/**/*.d.ts', { cwd: out })) {
  const path = join(out, file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll(/(from |import\()'(\.[^']+)\.ts'/g, "$1'$2.js'"))
}
await writeFile(join(out, 'package.json'), `${JSON.stringify(sdkManifest(manifest), null, 2)}\n`)
await cp(join(sdk, 'README.md'), join(out, 'README.md'))
await cp(join(root, 'LICENSE'), join(out, 'LICENSE'))
console.log(`@wbs/sdk ${manifest.version} is built. To pack it: npm pack ${out}`)
