import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import { openEmbeddedServer } from '../../src/database/embedded.ts'
import { startService } from '../../src/service.ts'
import { isForOperator } from '../../src/start-errors.ts'
import { dataFolder, failToStart, postmasterOf, usedDataFolder } from '../harness/process.ts'
import { quietLog } from '../harness/quiet-log.ts'

const fast = { SVC_SAMPLE_DATA: 'off' }

/** Starts a service in this process that is expected to fail, and gives what its process would print. */
async function refusal(given: Record<string, string>): Promise<string> {
  let output = ''
  const starting = async () => {
    const config = readConfig({ PORT: '0', ...given })
    const log = pino({ level: config.log.level }, { write: line => void (output += line) })
    return startService(config, log, new AbortController().signal)
  }
  const error = await starting().then(
    async service => {
      await service.close()
      return null
    },
    (error: unknown) => error,
  )
  assert.ok(error instanceof Error && isForOperator(error), `It failed by ${String(error)}`)
  return `${output}${error.message}\n`
}

describe('what stops a start is said in one sentence', () => {
  it('a port that is none', async t => {
    const folder = await dataFolder(t)
    const { code, output } = await failToStart({ SVC_DATA_DIR: folder.path, PORT: '80x' })
    assert.equal(code, 1)
    assert.match(output, /^PORT must be[^\n]*\n$/)
  })

  it('a port in use', async t => {
    const folder = await dataFolder(t)
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const { code, output } = await failToStart({ SVC_DATA_DIR: folder.path, PORT: String(port) })
    assert.equal(code, 1)
    assert.match(output, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use[^\\n]*\\n$`))
    assert.equal(postmasterOf(folder.path), null)
    taken.close()
  })

  it('another service on the same data folder', async t => {
    const folder = await usedDataFolder(t)
    const first = await folder.start(fast)
    const output = await refusal({ ...fast, SVC_DATA_DIR: folder.path })
    assert.match(output, /^Another service is running on the data folder [^\n]*\n$/)
    assert.equal((await fetch(`${first.base_url}/ready`)).status, 200)
  })

  it('a data folder of a newer version', async t => {
    const folder = await usedDataFolder(t)
    const server = await openEmbeddedServer({ dataDir: folder.path, log: quietLog })
    const client = new pg.Client({
      host: server.socketDir,
      port: server.port,
      user: server.user,
      database: 'postgres',
    })
    await client.connect()
    await client.query(`insert into svc.migrations (name, timestamp) values ('9999_from_the_future', '2030')`)
    await client.end()
    await server.stop()
    const output = await refusal({ ...fast, SVC_DATA_DIR: folder.path })
    assert.match(
      output,
      /^The database was upgraded by a newer version of the service[^\n]* or restore the backup [^\n]*\n$/,
    )
    assert.equal(postmasterOf(folder.path), null)
  })

  for (const [setting, env, said] of [
    [
      'an issuer without an audience',
      { OIDC_ISSUERS: 'https://issuer.example' },
      /^OIDC_AUDIENCE must be set/,
    ],
    [
      'an issuer over plain http',
      { OIDC_ISSUERS: 'http://issuer.example', OIDC_AUDIENCE: 'a' },
      /^OIDC_ISSUERS: /,
    ],
    ['a secret that is short', { SVC_SECRET: 'short' }, /^SVC_SECRET must/],
    ['an environment that is none', { SVC_ENVIRONMENT: 'staging' }, /^SVC_ENVIRONMENT must/],
    ['rate limits below nothing', { RATE_LIMIT_SCALE: '-1' }, /^RATE_LIMIT_SCALE must/],
    ['rate limits that are no number', { RATE_LIMIT_SCALE: 'off' }, /^RATE_LIMIT_SCALE must/],
    ['a proxy by name', { SVC_TRUSTED_PROXIES: '10.0.0.1, proxy.internal' }, /^SVC_TRUSTED_PROXIES must/],
    ['a network that is too long', { SVC_TRUSTED_PROXIES: '10.0.0.0/33' }, /^SVC_TRUSTED_PROXIES must/],
    ['pages of every origin', { SVC_ALLOWED_ORIGINS: '*' }, /^SVC_ALLOWED_ORIGINS must be exact origins/],
    ['a trust in everybody', { SVC_TRUSTED_PROXIES: '::/0' }, /^SVC_TRUSTED_PROXIES must/],
    [
      'a host of another machine',
      { HOST: '203.0.113.1', SVC_DEVELOPMENT_IDENTITY: 'network' },
      /^HOST 203\.0\.113\.1 is not/,
    ],
    [
      'the development identity on every network',
      { HOST: '0.0.0.0' },
      /^HOST 0\.0\.0\.0 can be reached from a network.* or SVC_DEVELOPMENT_IDENTITY=network /,
    ],
    [
      'the development identity on every network of either kind',
      { HOST: '::' },
      /^HOST :: can be reached from a network.* or SVC_DEVELOPMENT_IDENTITY=network /,
    ],
    [
      'a reach of the development identity that is none',
      { SVC_DEVELOPMENT_IDENTITY: 'everywhere' },
      /^SVC_DEVELOPMENT_IDENTITY must/,
    ],
    ['a level of the log that is none', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of fatal, /],
    ['a level of the log in capitals', { LOG_LEVEL: 'INFO' }, /^LOG_LEVEL must be one of fatal, /],
    ['a port in another notation', { PORT: '8e3' }, /^PORT must be/],
    ['a host that is no name', { HOST: 'not a host' }, /^HOST not a host is not/],
    ['a database without a scheme', { DATABASE_URL: 'db.example/svc' }, /^DATABASE_URL must be the URL of/],
    ['a word for a database', { DATABASE_URL: 'nonsense' }, /^DATABASE_URL must be the URL of/],
    ['a database of another kind', { DATABASE_URL: 'mysql://me@db.example/x' }, /^DATABASE_URL must be the/],
    ['a database with half a URL', { DATABASE_URL: 'postgres://[::1/x' }, /^DATABASE_URL must be the URL/],
    [
      'a database whose password is not encoded',
      { DATABASE_URL: 'postgres://me:sec%e9ret@127.0.0.1:9/x' },
      /^The PostgreSQL that DATABASE_URL names cannot be connected to: (?!.*sec)/,
    ],
    [
      'a database whose certificate is not there',
      { DATABASE_URL: 'postgres://me@127.0.0.1:9/x?sslrootcert=/nowhere/ca.pem' },
      /^The PostgreSQL that DATABASE_URL names cannot be connected to: .*\/nowhere\/ca\.pem/,
    ],
    [
      'a data folder that cannot be made',
      { SVC_DATA_DIR: '/proc/nowhere' },
      /^The data folder \/proc\/nowhere/,
    ],
    [
      'a data folder below a file',
      { SVC_DATA_DIR: '/etc/passwd/data' },
      /^The data folder \/etc\/passwd\/data cannot be used, since .* a file where a folder belongs; set SVC_DATA_DIR /,
    ],
    [
      'a data folder that is a file',
      { SVC_DATA_DIR: '/etc/passwd' },
      /^The data folder \/etc\/passwd cannot be used, since \/etc\/passwd is a file where a folder belongs; set /,
    ],
    [
      'a data folder that may not be written',
      { SVC_DATA_DIR: '/sys' },
      /^The data folder \/sys cannot be used/,
    ],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/nothing' },
      /DATABASE_URL/,
    ],
  ] as const)
    it(setting, async t => {
      const folder = await dataFolder(t)
      const output = await refusal({ SVC_DATA_DIR: folder.path, ...env })
      assert.match(output, said)
      assert.equal(output.trim().split('\n').length, 1, output)
    })

  for (const [what, name, said] of [
    ['mail', 'mail', /^The data folder .* since .*\/mail is a file where a folder belongs; set SVC_DATA_DIR/],
    ['the database', 'postgres', /^The data folder .*\/postgres\S* is, or lies below, a file where a folder/],
    ['the key of the development identity', 'identity-keys.json', /^The file \S+ does not hold a private/],
  ] as const)
    it(`something else where ${what} is kept`, async t => {
      const folder = await usedDataFolder(t)
      await rm(join(folder.path, name), { recursive: true, force: true })
      await writeFile(join(folder.path, name), 'something else')
      const output = await refusal({ ...fast, SVC_DATA_DIR: folder.path })
      assert.match(output, said)
      assert.equal(output.trim().split('\n').length, 1, output)
      assert.equal(postmasterOf(folder.path), null)
    })

  for (const name of ['quickstart.json', 'identity-keys.json', 'postgres.log', 'postgres.lock'])
    it(`a folder where the file ${name} belongs`, async t => {
      const folder = await usedDataFolder(t)
      await rm(join(folder.path, name), { force: true })
      await mkdir(join(folder.path, name, 'in'), { recursive: true })
      const output = await refusal({ ...fast, SVC_DATA_DIR: folder.path })
      assert.match(output, new RegExp(`^The (data folder|lock file|file) .*/${name} [^\\n]*\\n$`))
      assert.equal(postmasterOf(folder.path), null)
    })
})
