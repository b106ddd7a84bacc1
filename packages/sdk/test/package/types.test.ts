import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { proofDraws } from '../../../server/test/harness/proof.ts'
import { compile, compilers, packSdk, type PackedSdk } from './packed-sdk.ts'

describe('a strict project outside the repository', () => {
  let sdk: PackedSdk
  let project: string
  before(async () => {
    sdk = await packSdk()
    project = await sdk.newProject()
  })
  after(() => sdk.remove())

  const es = 'es2023'
  const files = ['work-in-room.ts']
  const settings = {
    'on Node.js': {
      moduleResolution: 'nodenext',
      lib: [es],
      types: ['node'],
      files: [...files, 'on-node.ts'],
    },
    'with a bundler, for a page': {
      moduleResolution: 'bundler',
      lib: [es, 'dom', 'dom.iterable'],
      types: [],
      files,
    },
    'with a bundler, for a worker': { moduleResolution: 'bundler', lib: [es, 'webworker'], types: [], files },
    'with the types of Node.js and of pages': {
      moduleResolution: 'nodenext',
      lib: [es, 'dom'],
      types: ['node'],
      files,
    },
  } as const

  /** The compiler in TypeScript takes ten times as long; besides these, node.test.ts compiles with it. */
  const compiledBy = {
    'TypeScript 7': Object.entries(settings),
    'TypeScript 5.9': proofDraws(Object.entries(settings)),
  } satisfies Record<keyof typeof compilers, unknown>
  for (const compiler of Object.keys(compilers) as (keyof typeof compilers)[])
    for (const [title, options] of compiledBy[compiler])
      it(`compiles ${title} (${compiler})`, () => compile(project, compiler, options))

  it('is told what is wrong in an input', async () => {
    const path = join(project, 'src/wrong.ts')
    const lines = [
      "import { createClient } from '@wbs/sdk'",
      "const client = createClient({ base_url: 'http://127.0.0.1' })",
      "await client.createRoom({ titel: 'Sale' })",
      "await client.listRooms({ status: 'open' })",
      'await client.getRoom()',
    ]
    await writeFile(path, `${lines.join('\n')}\n`)
    const options = { ...settings['on Node.js'], files: ['wrong.ts'] }
    await assert.rejects(compile(project, 'TypeScript 7', options), ({ message }: Error) =>
      [3, 4, 5].every(line => message.includes(`wrong.ts(${line},`)),
    )
  })

  it('gets declarations that name no other package', async () => {
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(join(project, 'node_modules/@wbs/sdk/package.json'), 'utf8'),
    ) as Record<string, unknown>
    assert.deepEqual([dependencies, peerDependencies], [undefined, undefined])
  })
})
