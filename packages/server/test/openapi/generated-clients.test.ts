import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { startTestService, type TestService } from '../harness/service.ts'

const root = join(import.meta.dirname, '../../../..')
const installed = join(root, 'tools/node_modules')
const openapi = join(root, 'docs/api/openapi.json')

/** How each generator is run, in the folder of a project. */
const generators = {
  'openapi-fetch': ['openapi-typescript', openapi, '--output', 'schema.d.ts'],
  'hey-api': [
    'openapi-ts',
    '--input',
    openapi,
    '--output',
    'api',
    '--client',
    '@hey-api/client-fetch',
    '--silent',
  ],
}

const settings = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    outDir: 'out',
  },
}

describe('a client generated from docs/api/openapi.json', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  for (const [name, generator] of Object.entries(generators))
    it(`compiles strictly and works: ${name}`, async t => {
      const project = await mkdtemp(join(tmpdir(), 'wbs-generated-'))
      t.after(() => rm(project, { recursive: true, force: true }))
      const run = (program: string, args: string[], env = {}) =>
        promisify(execFile)(process.execPath, [program, ...args], {
          cwd: project,
          env: { ...process.env, ...env },
        }).catch((error: { stdout: string; stderr: string }) => assert.fail(error.stdout + error.stderr))
      const [tool = '', ...args] = generator

      await symlink(installed, join(project, 'node_modules'))
      await writeFile(join(project, 'package.json'), '{ "type": "module" }')
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ ...settings, files: ['program.ts'] }))
      await copyFile(join(import.meta.dirname, `programs/with-${name}.ts.txt`), join(project, 'program.ts'))
      await run(join(installed, '.bin', tool), args)
      await run(join(installed, 'typescript/bin/tsc'), [])
      const { stdout } = await run('out/program.js', [], {
        BASE_URL: service.base_url,
        ACCESS_TOKEN: service.person('Olivia').token,
      })

      const { told, ...rest } = JSON.parse(stdout) as { told: string[] }
      assert.deepEqual(rest, {
        replayed: [true, true],
        advice: '422: another request had the key',
        titles: ['Lease', 'Purchase of Harbor Bakery'],
        revision: 2,
        upload: ['open', 1],
      })
      assert.ok(told.includes('room.updated title'), told.join())
    })
})
