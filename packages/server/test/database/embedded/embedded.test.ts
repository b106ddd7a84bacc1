import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../harness/eventually.ts'
import { isPostmasterOf } from '../../../src/database/embedded/postmaster.ts'
import {
  connectTo,
  dataDirWithCluster,
  openElsewhere,
  openServer,
  query,
  spawnOpener,
  temporaryDataDir,
} from './embedded-fixture.ts'

const KEEP_ROW = 'create table kept (id int); insert into kept values (42)'
const READ_ROW = 'select id from kept'

describe('the embedded server', { timeout: 300_000 }, () => {
  test('a new folder gets a UTF-8 cluster with checksums that is reachable over its private socket only', async t => {
    const dataDir = temporaryDataDir(t)
    const server = await openServer(dataDir, { fsync: 'on' })
    const [row] = await query(
      server,
      `select current_setting('server_version_num')::int / 10000 as major, current_user as user_name,
         current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
         current_setting('listen_addresses') as tcp, pg_encoding_to_char(encoding) as encoding,
         datlocale, upper('straße é') as upper
       from pg_database where datname = 'postgres'`,
    )
    assert.deepEqual(row, {
      major: 18,
      user_name: 'svc',
      checksums: 'on',
      fsync: 'on',
      tcp: '',
      encoding: 'UTF8',
      datlocale: 'C.UTF-8',
      upper: 'STRAßE É',
    })
    assert.equal(server.attached, false)
    assert.equal(statSync(join(dataDir, 'postgres')).mode & 0o777, 0o700)
    await server.stop()
  })

  test('a restart keeps the rows, and stopping twice is no error', async t => {
    const dataDir = await dataDirWithCluster(t)
    const before = await openServer(dataDir)
    await query(before, KEEP_ROW)
    await before.stop()
    assert.equal(isPostmasterOf(join(dataDir, 'postgres'), before.pid), false)
    await before.stop()
    const after = await openServer(dataDir)
    assert.deepEqual(await query(after, READ_ROW), [{ id: 42 }])
    await after.stop()
  })

  test('settings given reach a server that is started', async t => {
    const server = await openServer(await dataDirWithCluster(t), { work_mem: '7MB' })
    assert.deepEqual(await query(server, 'show work_mem'), [{ work_mem: '7MB' }])
    await server.stop()
  })

  test('a folder whose path is too long for a socket is served all the same', async t => {
    const dataDir = temporaryDataDir(t, join('long'.repeat(30), 'é'.repeat(60)))
    const server = await openServer(dataDir)
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
    await server.stop()
    assert.equal(existsSync(server.socketDir), false, 'the short link is removed')
  })

  test('the log keeps neither rows nor parameters of a failed statement, but says why a start failed', async t => {
    const dataDir = await dataDirWithCluster(t)
    const server = await openServer(dataDir)
    const client = await connectTo(server)
    await client.query('create table secrets (secret text primary key)')
    const insert = () => client.query('insert into secrets values ($1)', ['canary'])
    await insert()
    await assert.rejects(insert(), { code: '23505' })
    await client.end()
    await server.stop()
    const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
    assert.match(log, /duplicate key/)
    assert.doesNotMatch(log, /canary/)
    const failure = { code: 'start_failed', message: /did not start[^]*invalid value.*work_mem/ }
    await assert.rejects(openServer(dataDir, { work_mem: 'plenty' }), failure)
  })
})

describe('a server that survived a crash', { timeout: 300_000 }, () => {
  test('is attached to, with its rows, after the service was killed, as another process', async t => {
    const dataDir = await dataDirWithCluster(t)
    const elsewhere = await openElsewhere(dataDir)
    const witness = await openServer(dataDir)
    await query(witness, KEEP_ROW)
    await witness.release()
    elsewhere.process.kill('SIGKILL')
    await once(elsewhere.process, 'exit')
    const server = await openServer(dataDir)
    assert.deepEqual([server.attached, server.pid], [true, elsewhere.pid])
    assert.deepEqual(await query(server, READ_ROW), [{ id: 42 }])
    await server.stop()
    assert.equal(
      isPostmasterOf(join(dataDir, 'postgres'), elsewhere.pid),
      false,
      'a server that was attached to is stopped too',
    )
  })

  test('survives the Ctrl-C that the terminal sends to the whole process group', async t => {
    const dataDir = await dataDirWithCluster(t)
    const elsewhere = await openElsewhere(dataDir)
    process.kill(-elsewhere.process.pid!, 'SIGINT')
    await once(elsewhere.process, 'exit')
    const server = await openServer(dataDir)
    assert.equal(server.pid, elsewhere.pid)
    await server.stop()
  })

  test('is brought back under an open service when the postmaster is killed, with what was committed', async t => {
    const server = await openServer(await dataDirWithCluster(t))
    await query(server, KEEP_ROW)
    const busy = await connectTo(server) // it notices the postmaster's death only when its loop ends
    const looping = busy
      .query(
        "do $$ declare until timestamp = clock_timestamp() + interval '2 s'; begin while clock_timestamp() < until loop end loop; end $$",
      )
      .catch(() => {})
    const killed = server.pid
    process.kill(killed, 'SIGKILL')
    await eventually(() => server.pid !== killed)
    await looping
    assert.deepEqual(await query(server, READ_ROW), [{ id: 42 }])
    await server.stop()
  })

  test('is not replaced by an empty one when its folder is removed under an open service', async t => {
    const dataDir = await dataDirWithCluster(t)
    const server = await openServer(dataDir)
    rmSync(join(dataDir, 'postgres'), { recursive: true })
    process.kill(server.pid, 'SIGKILL')
    await sleep(2000)
    assert.deepEqual(readdirSync(dataDir).sort(), ['postgres.lock', 'postgres.log'])
    await server.stop()
  })

  test('is recovered at the next start when service and postmaster were killed', async t => {
    const dataDir = await dataDirWithCluster(t)
    const elsewhere = await openElsewhere(dataDir)
    const witness = await openServer(dataDir)
    await query(witness, KEEP_ROW)
    await witness.release()
    elsewhere.process.kill('SIGKILL')
    process.kill(elsewhere.pid, 'SIGKILL')
    await once(elsewhere.process, 'exit')
    const server = await openServer(dataDir)
    assert.equal(server.attached, false)
    assert.deepEqual(await query(server, READ_ROW), [{ id: 42 }])
    await server.stop()
  })
})

describe('files that a crash left behind', { timeout: 300_000 }, () => {
  for (const [what, program, workingFolder] of [
    ['a program working in that folder', 'sleep', 'postgres'],
    ['a postmaster of another folder', 'postgres', '..'],
  ] as const) {
    test(`a pid file whose number was since given to ${what} does not stop a start`, async t => {
      const dataDir = await dataDirWithCluster(t)
      const first = await openServer(dataDir)
      const cluster = join(dataDir, 'postgres')
      const [pidFile, lockFile] = [join(cluster, 'postmaster.pid'), join(cluster, '.s.PGSQL.5432.lock')]
      const [pidText, lockText] = [readFileSync(pidFile, 'utf8'), readFileSync(lockFile, 'utf8')]
      await first.stop()
      const { uid, gid } = statSync(cluster)
      const stranger = spawn('/bin/sh', ['-c', 'read forever', '/proc/self/cwd'], {
        uid,
        gid,
        cwd: join(dataDir, workingFolder),
        argv0: program,
      })
      t.after(() => stranger.kill())
      writeFileSync(pidFile, pidText.replace(/^\d+/, String(stranger.pid)))
      writeFileSync(lockFile, lockText.replace(/^\d+/, String(stranger.pid)))
      const server = await openServer(dataDir)
      assert.equal(server.attached, false)
      assert.notEqual(server.pid, stranger.pid)
      await server.stop()
      assert.equal(stranger.exitCode ?? stranger.signalCode, null, 'the stranger is left alone')
    })
  }

  test('empty lock files, as a power cut leaves them, do not stop a start', async t => {
    const dataDir = await dataDirWithCluster(t)
    await (await openServer(dataDir)).stop()
    writeFileSync(join(dataDir, 'postgres/postmaster.pid'), '')
    writeFileSync(join(dataDir, 'postgres/.s.PGSQL.5432.lock'), '')
    const server = await openServer(dataDir)
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
    await server.stop()
  })

  test('a cluster half made when the service was killed is made anew', async t => {
    const dataDir = temporaryDataDir(t)
    const opener = spawnOpener(dataDir)
    const halfMade = () => readdirSync(dataDir).filter(name => name.startsWith('postgres.new-'))
    await eventually(
      () => existsSync(dataDir) && halfMade().some(name => existsSync(join(dataDir, name, 'base'))),
    )
    process.kill(-opener.pid!, 'SIGKILL')
    await once(opener, 'exit')
    assert.equal(existsSync(join(dataDir, 'postgres')), false)
    const server = await openServer(dataDir)
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
    assert.deepEqual(halfMade(), [])
    await server.stop()
  })
})

describe('several processes on one data folder', { timeout: 300_000 }, () => {
  test('of processes that open a fresh folder at once one starts the server and the others attach to it', async t => {
    const dataDir = temporaryDataDir(t)
    const opened = await Promise.all([1, 2, 3].map(() => openElsewhere(dataDir)))
    assert.equal(new Set(opened.map(({ pid }) => pid)).size, 1)
    assert.deepEqual(opened.filter(({ attached }) => attached).length, 2)
  })

  test('release leaves the server to whoever else has it open, and else stops it', async t => {
    const dataDir = await dataDirWithCluster(t)
    const cluster = join(dataDir, 'postgres')
    const starter = await openServer(dataDir)
    const other = await openServer(dataDir)
    await starter.release()
    assert.equal(isPostmasterOf(cluster, starter.pid), true)
    await other.release()
    assert.equal(isPostmasterOf(cluster, starter.pid), true, 'who did not start it does not stop it')
    await (await openServer(dataDir)).stop()
    const alone = await openServer(dataDir)
    await query(alone, 'select 1')
    await alone.release()
    assert.equal(isPostmasterOf(cluster, alone.pid), false)
  })

  test('a cluster of another major version is refused in one sentence, and a stranger’s folder is not touched', async t => {
    const dataDir = temporaryDataDir(t)
    mkdirSync(join(dataDir, 'postgres'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres/notes.txt'), 'mine')
    await assert.rejects(openServer(dataDir), { name: 'EmbeddedServerError', code: 'foreign_cluster' })
    assert.deepEqual(readdirSync(join(dataDir, 'postgres')), ['notes.txt'])
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n')
    const refusal = {
      code: 'other_version',
      message: /^The database in .* PostgreSQL 17, .* PostgreSQL 18: .*\.$/,
    }
    await assert.rejects(openServer(dataDir), refusal)
  })
})
