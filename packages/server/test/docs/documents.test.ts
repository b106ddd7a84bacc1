import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { sampleDataFolder, type DataFolder } from '../harness/process.ts'
import { isFullProof, proofSeed } from '../harness/proof.ts'
import { blocksOf } from './document.ts'
import { changedFiles } from './changed-files.ts'
import { checkDocument, checkText, type Surroundings } from './check-document.ts'
import { documentsToRun } from './documents-to-run.ts'
import { planOf } from './plan.ts'
import { projectFolder, readersEnvironment, root, type ProjectFolder } from './project-folder.ts'
import { watch, type WatchedService } from './watched-service.ts'

const textOf = (document: string) => readFileSync(join(root, document), 'utf8')

/** Every document of the project that has a block. */
const documents = globSync('**/*.md', {
  cwd: root,
  exclude: path => /(^|\/)(node_modules|\.[^/]+)$/.test(path),
})
  .sort()
  .filter(name => blocksOf(textOf(name)).length > 0)

/** Those with commands. */
const runnable = documents.filter(name => planOf(textOf(name)).some(({ kind }) => kind === 'run'))

const run = new Set(
  isFullProof ? runnable : documentsToRun({ runnable, changed: changedFiles(root), seed: proofSeed() }),
)

/** The app of docs/guides/shared-connections.md. */
const exampleApp = { SVC_CONNECTION_HOSTS: '127.0.0.1:18099', SVC_CONNECTION_ALLOW_PRIVATE: 'on' }

/** The web app of docs/guides/browsers.md. */
const exampleOrigin = { SVC_ALLOWED_ORIGINS: 'https://app.example.com' }

const missing = ['curl', 'bash'].filter(program => spawnSync(program, ['--version']).error !== undefined)

describe('the commands in', { skip: missing.length > 0 && `${missing.join(' and ')} not found` }, () => {
  let data: DataFolder
  let database: TestDatabase | null = null
  let folder: ProjectFolder
  let service: WatchedService
  let around: Surroundings
  before(async () => {
    data = await sampleDataFolder()
    // As `npm start` runs it: on an embedded PostgreSQL, or that of DATABASE_URL.
    if (process.env.DATABASE_URL) database = await createTestDatabase()
    const settings: Record<string, string> = database === null ? {} : { DATABASE_URL: database.url }
    const { base_url } = await data.start({ ...settings, ...exampleApp, ...exampleOrigin })
    service = await watch(base_url)
    folder = await projectFolder(data.path)
    around = {
      folder,
      // No profile of whoever runs the tests is used.
      env: readersEnvironment({ ...settings, XDG_CONFIG_HOME: join(folder.path, '.config') }),
      address: { shown: 'http://127.0.0.1:8080', real: [service.base_url, base_url] },
      errors: service.errors,
    }
  })
  after(async () => {
    await service?.close()
    await data.remove()
    await folder?.remove()
    await database?.drop()
  })

  it('is looked for in every document', context => {
    context.diagnostic(`Commands run of ${[...run].join(', ')}`)
    for (const name of ['README.md', 'CONTRIBUTING.md', 'docs/guides/rooms.md', 'packages/sdk/README.md'])
      assert.ok(documents.includes(name), name)
  })

  for (const name of documents)
    it(`of ${name} are all run, by this test or another, or name what exists`, () => {
      const findings = checkText(name, textOf(name))
      assert.ok(findings.length === 0, `\n${findings.join('\n\n')}`)
    })

  for (const name of run)
    it(`according to ${name} answers what stands there`, async () => {
      const findings = await checkDocument(name, textOf(name), around)
      assert.ok(findings.length === 0, `\n${findings.join('\n\n')}`)
    })
})
