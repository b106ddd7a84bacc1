import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { node, packSdk, tool, type PackedSdk } from './packed-sdk.ts'

describe('the packed SDK', () => {
  let sdk: PackedSdk
  let project: string
  before(async () => {
    sdk = await packSdk()
    project = await sdk.newProject()
  })
  after(() => sdk.remove())

  const installed = () => join(project, 'node_modules/@wbs/sdk')

  it('is a package as publint wants one', async () => {
    assert.match(await node([tool('publint/src/cli.js'), 'run', sdk.file, '--strict'], project), /All good!/)
  })

  it('is found, with its types, by every way to resolve ES modules', async () => {
    const cli = tool('@arethetypeswrong/cli/dist/index.js')
    const said = await node([cli, sdk.file, '--profile', 'esm-only', '--format', 'json'], project)
    const { problems } = (JSON.parse(said) as { analysis: { problems: { kind: string; resolutionKind: string }[] } }).analysis
    const ofModules = problems.filter(({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind))
    assert.deepEqual(ofModules, [])
  })

  it('holds its programs with types and sources, its licence, how to use it, and nothing else', async () => {
    const files = await readdir(installed(), { recursive: true, withFileTypes: true })
    const names = files.filter(file => file.isFile()).map(({ name }) => name)
    for (const name of ['package.json', 'README.md', 'LICENSE', 'index.js', 'index.d.ts', 'index.js.map'])
      assert.ok(names.includes(name), name)
    const others = names.filter(name => !/\.(?:js|d\.ts|js\.map)$/.test(name)).sort()
    assert.deepEqual(others, ['LICENSE', 'README.md', 'package.json'])
    const map = JSON.parse(await readFile(join(installed(), 'lib/client.js.map'), 'utf8')) as { sourcesContent: string[] }
    assert.match(map.sourcesContent.join(), /export function createClient/)
  })

  it('costs a page at most 8 kB gzipped, events included, and its first upload at most as much again', async () => {
    const files = await bundle(['--splitting', '--outdir=split'], 'split')
    const atOnce = [
      'page.js',
      ...[...(files.get('page.js') ?? '').matchAll(/from"\.\/([^"]+)"/g)].map(([, name]) => name),
    ]
    const sizeOf = (names: readonly unknown[]) =>
      names.reduce(
        (sum: number, name) => sum + gzipSync(files.get(String(name)) ?? '', { level: 9 }).length,
        0,
      )
    const onDemand = [...files.keys()].filter(name => !atOnce.includes(name))
    assert.ok(
      onDemand.some(name => name.startsWith('upload-file')),
      onDemand.join(),
    )
    assert.ok(sizeOf(atOnce) > 2_000 && sizeOf(atOnce) <= 8_192, `${sizeOf(atOnce)} bytes at once`)
    assert.ok(sizeOf(onDemand) <= 8_192, `${sizeOf(onDemand)} bytes on demand`)
  })

  it('brings nothing of TypeBox, of the contract or of Node.js into a page', async () => {
    const [code = ''] = (await bundle(['--outfile=whole/page.js'], 'whole')).values()
    assert.match(code, /search_businesses/)
    assert.doesNotMatch(code, /typebox|~kind|@wbs\/contract/i)
    assert.doesNotMatch(code, /(?:from|import\(|require\()\s*"(?:node:)?(?:fs|path|crypto|stream|buffer|http)/)
    assert.doesNotMatch(code, /\bBuffer\b|\bprocess\.(?!versions)/)
  })

  /** Bundles a page for browsers, and gives the files by name. */
  async function bundle(flags: readonly string[], folder: string): Promise<Map<string, string>> {
    const page = join(project, 'page.js')
    await writeFile(page, "import { createClient } from '@wbs/sdk'\nglobalThis.client = createClient({ base_url: location.origin })\n")
    await mkdir(join(project, folder), { recursive: true })
    await node([tool('esbuild/bin/esbuild'), page, '--bundle', '--minify', '--format=esm', '--log-level=error', ...flags], project)
    const names = await readdir(join(project, folder))
    return new Map(
      await Promise.all(
        names.map(async (name): Promise<[string, string]> => [name, await readFile(join(project, folder, name), 'utf8')]),
      ),
    )
  }
})
