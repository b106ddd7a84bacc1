import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { listEventChanges } from '@wbs/contract/activity'
import { secretSettings } from '../../src/settings-from-files.ts'
import { guideBlocks } from './guide-blocks.ts'
import { root } from './project-folder.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const guide = textOf('docs/guides/production.md')
const run = (program: string, args: string[], env = process.env) =>
  spawnSync(program, args, { env, encoding: 'utf8' })
const isMissing = (program: string) => run(program, ['version']).error !== undefined && `${program} not found`

/** The variables that the service reads: as `env.NAME`, or named in the type of what a function reads. */
const read = new Set(
  globSync('packages/server/src/**/*.ts', { cwd: root }).flatMap(file =>
    [
      ...textOf(file).matchAll(/\benv\.([A-Z][A-Z0-9_]+)|^ {2}([A-Z][A-Z0-9_]+)\?: string \| undefined$/gm),
    ].map(([, one, other]) => one ?? other ?? ''),
  ),
)

describe('the settings', () => {
  const section = guide.slice(guide.indexOf('\n## Settings'))
  const inTable = [...section.matchAll(/^\|(( `[A-Z][A-Z0-9_]+`,?)+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  const inExample = [...textOf('ops/container/.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(
    ([, name = '']) => name,
  )

  it('are all in the table of the guide, each once, and it has no other', () => {
    assert.ok(read.size > 25)
    assert.deepEqual(inTable.toSorted(), [...read].toSorted())
  })

  it('are all in the example of compose, besides those of compose itself', () => {
    const ofCompose = ['API_HOST', 'FILES_HOST', 'WBS_VERSION']
    assert.deepEqual(inExample.toSorted(), [...read, ...ofCompose].toSorted())
  })

  it('are in no other table', () => {
    for (const document of globSync(['*.md', 'docs/**/*.md'], { cwd: root }))
      if (document !== 'docs/guides/production.md')
        assert.doesNotMatch(textOf(document), /^\| `(DATABASE_URL|SVC_SECRET|LOG_LEVEL)`/m, document)
  })

  it('that compose files set are read by the service, under the name of a file for secrets alone', () => {
    const names = (file: string) =>
      [...textOf(file).matchAll(/^ {6}([A-Z][A-Z0-9_]+): /gm)]
        .map(([, name = '']) => name)
        .filter(name => !/^(POSTGRES|GARAGE)_|^(API|FILES)_HOST$/.test(name))
    const known = new Set([...read, ...secretSettings.map(name => `${name}_FILE`)])
    for (const file of ['ops/container/compose.yaml', 'ops/container/compose.development.yaml']) {
      assert.ok(names(file).length > 4)
      for (const name of names(file)) assert.ok(known.has(name), `${file} sets ${name}.`)
    }
    const unit = textOf('ops/systemd/wbs.service').matchAll(/\b([A-Z][A-Z0-9_]+_FILE)=%d\/(\w+)/g)
    for (const [, name = '', file = ''] of unit) {
      assert.ok(known.has(name), name)
      assert.equal(`${file.toUpperCase()}_FILE`, name)
    }
  })

  it('that may be files are named in the guide', () => {
    const sentence = /This holds for ([^.]*)\./.exec(guide)?.[1] ?? ''
    const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    assert.deepEqual(named.toSorted(), secretSettings.filter(name => read.has(name)).toSorted())
  })
})

describe('the proxies of the guide', () => {
  const server = textOf('packages/server/src/http/server.ts')
  const seconds = (name: string, text: string) => Number(new RegExp(`${name}:? (\\d+)s`).exec(text)?.[1])
  const all = async () => {
    const [caddy = '', nginx = ''] = await guideBlocks('production.md', 'production-guide.test.ts')
    return { caddy, nginx, compose: textOf('ops/container/compose/Caddyfile') }
  }

  it('wait longer than a long poll, and keep idle connections for less time than the service', async () => {
    const { caddy, nginx, compose } = await all()
    const { maximum: poll = 0 } = listEventChanges.input.wait_seconds as { maximum?: number }
    const idle = Number(/keepAliveTimeout: (\d+)_000/.exec(server)?.[1])
    assert.ok(poll >= 30 && idle > 0)
    for (const text of [caddy, compose]) {
      assert.ok(seconds('response_header_timeout', text) > poll)
      assert.ok(seconds('keepalive', text) < idle)
      assert.match(text, /^\s+flush_interval -1$/m)
      assert.doesNotMatch(text, /^\s*encode\b/m)
    }
    assert.ok(seconds('proxy_read_timeout', nginx) > poll)
    assert.ok(seconds('keepalive_timeout', nginx) < idle)
    assert.match(nginx, /proxy_buffering off;/)
    assert.match(nginx, /gzip off;/)
  })

  it('are accepted by nginx', { skip: isMissing('nginx') }, async () => {
    const { nginx } = await all()
    const folder = mkdtempSync(join(tmpdir(), 'wbs-nginx-'))
    try {
      const block = nginx
        .replace('listen 443 ssl', 'listen 127.0.0.1:1')
        .replaceAll(/^ *ssl_certificate.*$/gm, '')
      const logs = `error_log ${folder}/error.log; pid ${folder}/pid;`
      writeFileSync(join(folder, 'nginx.conf'), `${logs}\nevents {}\nhttp { access_log off;\n${block}\n}\n`)
      const { status, stderr } = run('nginx', ['-t', '-c', join(folder, 'nginx.conf')])
      assert.equal(status, 0, stderr)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  for (const which of ['caddy', 'compose'] as const)
    it(`are accepted by Caddy: ${which}`, { skip: isMissing('caddy') }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'wbs-caddy-'))
      const file = join(folder, 'Caddyfile')
      writeFileSync(file, (await all())[which])
      const env = { ...process.env, API_HOST: 'api.example.com', FILES_HOST: 'files.example.com' }
      const args = ['adapt', '--adapter', 'caddyfile', '--config', file]
      const { status, stderr } = run('caddy', args, env)
      rmSync(folder, { recursive: true })
      assert.equal(status, 0, stderr)
    })
})

describe('the database of compose', () => {
  it('is prepared as the guide on operating says', async () => {
    const [sql = ''] = await guideBlocks('operating.md', 'restricted-login.test.ts')
    const script = textOf('ops/container/compose/prepare-database.sh')
    for (const line of sql.trim().split('\n'))
      assert.ok(script.includes(line.replaceAll('the_login', 'service')), line)
  })
})
