import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { createTestDatabase } from '../../server/test/harness/database.ts'
import type { TestDatabase } from '../../server/test/harness/database.ts'
import { runInOneProcess } from './one-process/run-in-one-process.ts'

const wbs = new URL('../src/wbs.ts', import.meta.url).pathname
const header =
  'source,source_id,name,status,founded_on,closed_on,address1,city,state,postal_code,naics_code,naics_vintage,website_url,phone,description'

let database: TestDatabase
let client: Client
let folder: string
before(async () => {
  database = await createTestDatabase()
  client = new Client({ ...database.address, options: '-c search_path=svc,public' })
  await client.connect()
  folder = await mkdtemp(join(tmpdir(), 'wbs-cli-'))
  await write('sources.csv', 'source,title,publisher,url,licence,observed_on\nmine,My data,Me,,mine alone,\n')
})
after(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return name
}

const rowsOf = (ids: readonly string[], state = 'GA') =>
  `${[header, ...ids.map(id => `mine,${id},Business ${id},active,,,,,${state},,,,,,`)].join('\n')}\n`

function environment(env: Record<string, string> = { DATABASE_URL: database.url }): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, SVC_DATA_DIR: _folder, ...inherited } = process.env
  return { ...inherited, ...env }
}

/** Starts it in a process of its own. */
function start(args: readonly string[], env?: Record<string, string>) {
  const child = spawn(process.execPath, [wbs, ...args], { cwd: folder, env: environment(env) })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (text: Buffer) => (said.stdout += text))
  child.stderr.on('data', (text: Buffer) => (said.stderr += text))
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve =>
    child.on('close', code => resolve({ code, ...said })),
  )
  return { child, ended }
}

/** Runs it in one process for all such runs. */
const run = (
  args: readonly string[],
  { stdin = '', env }: { stdin?: string; env?: Record<string, string> } = {},
) => runInOneProcess({ args, env: environment(env), cwd: folder, stdin })

async function count(prefix: string, published = false): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer from business_sources s join businesses b on b.id = s.business_id
     where s.source_id like $1 and (not $2 or exists (select from published_businesses p where p.id = b.id))`,
    [`${prefix}%`, published],
  )
  return rows[0]?.count ?? 0
}

const imports = ['import', 'businesses', '--sources', 'sources.csv']

test('drafts are the default, and the summary says so', async () => {
  const { ended } = start([...imports, await write('drafts.csv', rowsOf(['draft-1', 'draft-2']))])
  const { code, stdout } = await ended
  assert.equal(code, 0)
  assert.match(stdout, /^2 rows read in .*\n {2}created {4}2, as drafts that no search finds; --publish/)
  assert.deepEqual([await count('draft'), await count('draft', true)], [2, 0])
})

test('--publish publishes, from standard input too', async () => {
  const { code, stdout } = await run([...imports, '--publish', '-'], { stdin: rowsOf(['stdin-1']) })
  assert.equal(code, 0)
  assert.match(stdout, /created {4}1, published/)
  assert.equal(await count('stdin', true), 1)
})

test('rejected rows end it with 2, are counted by reason, and are where the summary says', async () => {
  await write(
    'mixed.csv',
    rowsOf(['mixed-1']) + rowsOf(['mixed-2', 'mixed-3'], 'PR').replace(`${header}\n`, ''),
  )
  const { code, stdout } = await run([...imports, '--rejects', 'refused.csv', 'mixed.csv'])
  assert.equal(code, 2)
  assert.match(stdout, /rejected {3}2 \(unknown_state 2\), see refused\.csv/)
  assert.equal((await readFile(join(folder, 'refused.csv'), 'utf8')).trim().split('\n').length, 3)
  assert.equal(await count('mixed'), 1)
})

test('without --rejects the file is named by the time, and only there if there is something in it', async () => {
  await run([...imports, await write('clean.csv', rowsOf(['clean']))])
  assert.deepEqual(
    (await readdir(folder)).filter(name => name.startsWith('rejected-')),
    [],
  )
  const { stdout } = await run([...imports, await write('unclean.csv', rowsOf(['unclean'], 'PR'))])
  const [name = ''] = (await readdir(folder)).filter(name => name.startsWith('rejected-'))
  assert.match(name, /^rejected-businesses-\d{8}T\d{6}Z\.csv$/)
  assert.ok(stdout.includes(name))
})

test('what cannot be imported ends it with 1 and one plain sentence', async () => {
  const missing = await run([...imports, 'not-there.csv'])
  assert.deepEqual(
    [missing.code, missing.stdout, missing.stderr],
    [1, '', 'not-there.csv cannot be read: there is no such file\n'],
  )
  const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }
  const { code, stderr } = await run([...imports, 'clean.csv'], { env })
  assert.equal(code, 1)
  assert.equal(stderr.trim().split('\n').length, 1, stderr)
})

for (const [what, env, said] of [
  ['a database that is none', { DATABASE_URL: 'nonsense' }, /^DATABASE_URL must be the URL of a PostgreSQL/],
  ['a data folder that is a file', { SVC_DATA_DIR: '/etc/passwd' }, /^The data folder \/etc\/passwd cannot/],
  [
    'a data folder that cannot be made',
    { SVC_DATA_DIR: '/proc/nowhere' },
    /^The data folder \/proc\/nowhere /,
  ],
  ['a level of the log that is none', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/],
] as const)
  test(`${what} ends it with 1 and one plain sentence`, async () => {
    const { code, stdout, stderr } = await run([...imports, await write('one.csv', rowsOf(['one']))], { env })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, said)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
  })

test('a database that a newer version has upgraded is told of in one sentence', async () => {
  await client.query(
    `insert into svc.migrations (name, timestamp) values ('9999_from_the_future', '2030-01-01')`,
  )
  try {
    const { code, stderr } = await run([...imports, 'clean.csv'])
    assert.equal(code, 1)
    assert.match(stderr, /^The database was upgraded by a newer version[^\n]*\n$/)
  } finally {
    await client.query(`delete from svc.migrations where name = '9999_from_the_future'`)
  }
})

test('Ctrl-C while its database is being made ends it with 130, and leaves none', async () => {
  const dataDir = join(folder, 'broken-off')
  const { child, ended } = start([...imports, await write('one.csv', rowsOf(['one']))], {
    SVC_DATA_DIR: dataDir,
  })
  const made = async () =>
    (await readdir(dataDir).catch(() => [])).some(name => name.startsWith('postgres.new-'))
  while (!(await made())) await sleep(5)
  child.kill('SIGINT')
  const { code, stderr } = await ended
  assert.equal(code, 130)
  assert.match(stderr, /^Interrupted\.[^\n]*\n$/)
  assert.deepEqual(await readdir(dataDir), ['postgres.lock'])
})

test('--publish and --draft together are refused, and so is a command without files', async () => {
  assert.equal((await run([...imports, '--publish', '--draft', 'clean.csv'])).code, 1)
  assert.equal((await run(imports)).code, 1)
})

test('the help tells the options and the exit codes', async () => {
  const { code, stdout } = await run(['import', 'businesses', '--help'])
  assert.equal(code, 0)
  for (const word of ['--publish', '--draft', '--rejects', '--sources', 'Exit codes'])
    assert.ok(stdout.includes(word), word)
})

test('killed outright, and stopped by Ctrl-C between batches with 130, the same command does the rest', async () => {
  const all = 30_000
  const ids = Array.from({ length: all }, (_, at) => `long-${at}`)
  const command = [...imports, await write('long.csv', rowsOf(ids))]
  let left = 0
  for (const [signal, ending] of [
    ['SIGKILL', null],
    ['SIGINT', 130],
  ] as const) {
    const { child, ended } = start(command)
    while ((await count('long')) === left) await sleep(20)
    child.kill(signal)
    const { code, stderr } = await ended
    assert.equal(code, ending, stderr)
    if (signal === 'SIGINT') assert.match(stderr, /Interrupted\. What was written stays/)
    left = await count('long')
    assert.ok(left < all, 'it must not have come to its end')
  }
  const { code, stdout } = await run(command)
  assert.equal(code, 0)
  assert.match(stdout, new RegExp(`unchanged {2}${left.toLocaleString('en-US')}`))
  assert.equal(await count('long'), all)
})

test('without DATABASE_URL it starts the embedded database, migrated, and stops it again', async () => {
  const dataDir = join(folder, 'data')
  const file = await write('embedded.csv', rowsOf(['embedded']))
  const first = start([...imports, file], { SVC_DATA_DIR: dataDir })
  assert.equal((await first.ended).code, 0)
  assert.ok(
    !(await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid'),
    'the server is still running',
  )
  const second = await run([...imports, file], { env: { SVC_DATA_DIR: dataDir } })
  assert.match(second.stdout, /unchanged {2}1/)
})
