import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bundle, node, packSdk, tool, type PackedSdk } from './packed-sdk.ts'

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
    const { problems } = (
      JSON.parse(said) as { analysis: { problems: { kind: string; resolutionKind: string }[] } }
    ).analysis
    const ofModules = problems.filter(
      ({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind),
    )
    assert.deepEqual(ofModules, [])
  })

  it('holds its programs with types and sources, its licence, how to use it, and nothing else', async () => {
    const files = await readdir(installed(), { recursive: true, withFileTypes: true })
    const names = files.filter(file => file.isFile()).map(({ name }) => name)
    for (const name of ['package.json', 'README.md', 'LICENSE', 'index.js', 'index.d.ts', 'index.js.map'])
      assert.ok(names.includes(name), name)
    const others = names.filter(name => !/\.(?:js|d\.ts|js\.map)$/.test(name)).sort()
    assert.deepEqual(others, ['LICENSE', 'README.md', 'package.json'])
    const map = JSON.parse(await readFile(join(installed(), 'lib/client.js.map'), 'utf8')) as {
      sourcesContent: string[]
    }
    assert.match(map.sourcesContent.join(), /export function createClient/)
  })

  it('costs a page at most 8 kB gzipped in a single file, and uploads and everything what the README says', async () => {
    const readme = await readFile(join(installed(), 'README.md'), 'utf8')
    const said = [...readme.matchAll(/at most ([\d.]+) kB/g)].map(([, size]) => Number(size) * 1000)
    const [most = 0, mostForUploads = 0, mostForAll = 0] = said
    assert.deepEqual([said.length, most], [3, 8000])
    const page = gzipped(await bundled(client))
    const uploads = gzipped(await bundled(clientAndUploads)) - page
    const all = gzipped(await bundled(everything))
    assert.ok(page > 2_000 && page <= most, `${page} bytes for the client`)
    assert.ok(uploads > 2_000 && uploads <= mostForUploads, `${uploads} bytes more for uploads`)
    assert.ok(all >= page + uploads && all <= mostForAll, `${all} bytes for everything`)
  })

  it('brings the code of uploads only into a page that uploads', async () => {
    const ofUploads = /multipart|XMLHttpRequest|application\/pdf|part_number/
    assert.doesNotMatch(await bundled(client), ofUploads)
    assert.match(await bundled(clientAndUploads), ofUploads)
  })

  it('loads no code later, which service workers refuse', async () => {
    assert.doesNotMatch(await bundled(client), /\bimport\(/)
    // The one that is left is for modules of Node.js, and only Node.js gets there.
    const [later, ...more] = (await bundled(everything)).match(/\bimport\([^,;]*/g) ?? []
    assert.match(later ?? '', /`node:/)
    assert.deepEqual(more, [])
  })

  it('brings nothing of TypeBox, of the contract or of Node.js into a page', async () => {
    const code = await bundled(everything)
    assert.match(code, /search_businesses/)
    assert.doesNotMatch(code, /typebox|~kind|@wbs\/contract/i)
    assert.doesNotMatch(
      code,
      /(?:from|import\(|require\()\s*"(?:node:)?(?:fs|path|crypto|stream|buffer|http)/,
    )
    assert.doesNotMatch(code, /\bBuffer\b|\bprocess\.(?!versions)/)
  })

  const client =
    "import { createClient } from '@wbs/sdk'\nglobalThis.client = createClient({ base_url: location.origin })\n"
  const clientAndUploads = `${client}import { uploadFile } from '@wbs/sdk'\nglobalThis.uploadFile = uploadFile\n`
  const everything = "export * from '@wbs/sdk'\n"
  const gzipped = (code: string) => gzipSync(code, { level: 9 }).length

  /** Bundles a page for browsers into a single file, and gives its code. */
  async function bundled(code: string): Promise<string> {
    await writeFile(join(project, 'page.js'), code)
    await bundle('page.js', project, '--minify')
    return readFile(join(project, 'bundled.js'), 'utf8')
  }
})
