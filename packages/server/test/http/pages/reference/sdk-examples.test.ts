import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runInThisContext } from 'node:vm'
import { openApiDocument } from '@wbs/contract/openapi'
import { endpointsOf, type ApiDocument } from '../../../../src/http/pages/reference/document.ts'
import { sdkSetup } from '../../../../src/http/pages/reference/guide.ts'
import { sdkExample } from '../../../../src/http/pages/reference/sdk-example.ts'

const document = openApiDocument() as ApiDocument
const root = join(import.meta.dirname, '../../../../../..')

describe('the examples of the reference in TypeScript', () => {
  let folder: string
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'sdk-examples-'))))
  after(() => rmSync(folder, { recursive: true }))

  /** What the compiler says of a program that has the setup of the guide before these examples. */
  function compile(examples: readonly string[]): string {
    const blocks = examples.map(example => `{\n${example}\n}`)
    writeFileSync(join(folder, 'examples.mts'), [sdkSetup, ...blocks].join('\n'))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          typeRoots: [join(root, 'node_modules/@types')],
          paths: { '@wbs/sdk': [join(root, 'packages/sdk/src/index.ts')] },
        },
        include: [],
        files: ['examples.mts'],
      }),
    )
    const { stdout, error } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
      encoding: 'utf8',
    })
    assert.equal(error, undefined)
    return stdout
  }

  it('compile, all of them, with the client of the guide', () => {
    assert.equal(compile(endpointsOf(document).map(endpoint => sdkExample(endpoint, document))), '')
  })

  it('would not compile with a method or a field that the SDK lacks', () => {
    const errors = compile(['await client.paintRoom()', 'await client.createRoom({ colour: 1, title: "x" })'])
    assert.match(errors, /'paintRoom' does not exist/)
    assert.match(errors, /'colour' does not exist/)
  })
})

describe('an example in TypeScript', () => {
  const exampleOf = (operationId: string) => {
    const endpoint = endpointsOf(document).find(({ operation }) => operation.operationId === operationId)
    assert.ok(endpoint)
    return sdkExample(endpoint, document)
  }

  it('has the values of the recorded request, those of the path included', () => {
    assert.match(
      exampleOf('update_room'),
      /^const \{ room \} = await client\.updateRoom\(\{\n {2}room_id: 'rom_/,
    )
    assert.match(exampleOf('update_room'), /expected_revision: 1,\n/)
  })

  it('reads all pages of a list', () => {
    assert.match(exampleOf('list_rooms'), /^for await \(const item of client\.listRooms\.each\(/)
  })

  it('follows the stream of events', () => {
    assert.match(exampleOf('stream_events'), /^for await \(const event of client\.events\.follow\(/)
  })

  it('reads content as bytes', () => {
    assert.match(exampleOf('download_file'), /\.arrayBuffer\(\)$/)
  })

  it('quotes whatever a value holds', () => {
    const value = { note: `it's "quoted" \\ and\nbroken`, 'a-b': [1, null, true] }
    const operation = {
      operationId: 'keep_note',
      summary: '',
      description: '',
      tags: [],
      parameters: [],
      responses: { 200: { description: '', content: { 'application/json': { schema: {} } } } },
      requestBody: { content: { 'application/json': { schema: {}, examples: { recorded: { value } } } } },
    }
    const example = sdkExample({ method: 'POST', path: '/x', operation }, document)
    const [, given = ''] = /keepNote\(([^]*)\)$/.exec(example) ?? []
    assert.deepEqual(runInThisContext(`(${given})`), value)
  })
})
