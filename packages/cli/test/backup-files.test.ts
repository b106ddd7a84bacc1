import assert from 'node:assert/strict'
import { once } from 'node:events'
import { randomBytes, randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '@wbs/sdk'
import { createFilesystemStore } from '../../server/src/blobs/filesystem/filesystem-store.ts'
import { openFileWriter } from '../../server/test/backup/file-writer.ts'
import { sqlOn } from '../../server/test/backup/backup-fixture.ts'
import { temporaryFolder } from '../../server/test/backup/temporary-folder.ts'
import { createTestDatabase } from '../../server/test/harness/database.ts'
import { fillWithCluster } from '../../server/test/harness/postgres/prepared-folder.ts'
import { dataFolder, usedDataFolder, type ServiceProcess } from '../../server/test/harness/process.ts'
import { runWbs, runWbsQuickly } from './run-wbs.ts'

async function owner(of: ServiceProcess): Promise<Client> {
  const { users, workspace_id } = await of.quickstart()
  const access_token = users['owner']?.access_token ?? ''
  return createClient({ base_url: of.base_url, access_token, workspace_id })
}

/** Creates text Files one after the other until it is stopped. Gives their content by their ids. */
async function createFiles(client: Client, stop: AbortSignal, created: Map<string, string>): Promise<void> {
  while (!stop.aborted) {
    const content = `# ${randomUUID()}\n${'é€😀 '.repeat(Math.floor(Math.random() * 1500))}`
    const { file } = await client.createTextFile({ name: `${created.size}.md`, content })
    created.set(file.file_id, content)
    await sleep(20)
  }
}

async function contentOf(client: Client, file_id: string): Promise<string> {
  let text = ''
  for (let offset = 0; ;) {
    const { file_content } = await client.readFileContent({ file_id, offset, max_bytes: 10_000 })
    text += file_content.content
    offset = file_content.next_offset
    if (!file_content.has_more) return text
  }
}

async function allFiles(client: Client): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listFiles({ limit: 100, ...(cursor !== undefined && { cursor }) })
    ids.push(...page.data.map(({ file_id }) => file_id))
    cursor = page.page.cursor ?? undefined
  } while (cursor !== undefined)
  return ids
}

describe('a backup of Files', () => {
  it('that is made while Files arrive restores all of them, with their content', async context => {
    const folder = await usedDataFolder(context)
    const service = await folder.start({ SVC_SAMPLE_DATA: 'off' })
    const client = await owner(service)
    const created = new Map<string, string>()
    const stop = new AbortController()
    const creating = Promise.all([1, 2, 3].map(() => createFiles(client, stop.signal, created)))
    while (created.size < 10) await Promise.race([sleep(10), creating])
    const before = [...created.keys()]

    const file = join(folder.path, 'backup.tar.gz')
    const made = await runWbs(folder.path, ['backup', file])
    const during = created.size - before.length
    stop.abort()
    await creating
    assert.equal(made.code, 0, made.stderr)
    assert.ok(during > 0, 'no File arrived during the backup')
    await service.end()

    const other = await dataFolder(context)
    await fillWithCluster(other.path)
    const restored = await runWbs(other.path, ['restore', file])
    assert.equal(restored.code, 0, restored.stderr)
    const count = Number(/ and ([\d,]+) blobs of /.exec(restored.stdout)?.[1]?.replaceAll(',', ''))
    assert.ok(count >= before.length && count <= created.size, restored.stdout)
    const verified = await runWbsQuickly(other.path, ['blobs', 'verify'])
    assert.deepEqual([verified.code, verified.stderr], [0, ''])
    assert.match(verified.stdout, new RegExp(`^Verified ${count} blobs, [\\d.]+ MB: all complete\\.\n$`))

    const again = await owner(await other.start({ SVC_SAMPLE_DATA: 'off' }))
    const there = await allFiles(again)
    assert.equal(there.length, count)
    for (const file_id of before) assert.ok(there.includes(file_id))
    for (const file_id of there) assert.equal(await contentOf(again, file_id), created.get(file_id))
  })

  it('is restored after a restore was killed, which left no rows', async context => {
    const [source, target] = [await createTestDatabase(), await createTestDatabase()]
    context.after(() => Promise.all([source.drop(), target.drop()]))
    const folder = await temporaryFolder(context)
    const [from, to] = ['from', 'to'].map(name => join(folder, name)) as [string, string]
    const store = createFilesystemStore(join(from, 'blobs'))
    context.after(() => store.close())
    await using files = await openFileWriter(source.address, store)
    for (let n = 0; n < 150; n++) await files.add(randomBytes(2000))
    await files.add(randomBytes(6_000_000))
    const file = join(folder, 'backup.tar.gz')
    const made = await runWbsQuickly({ DATABASE_URL: source.url, SVC_DATA_DIR: from }, ['backup', file])
    assert.equal(made.code, 0, made.stderr)

    const where = { DATABASE_URL: target.url, SVC_DATA_DIR: to }
    const stored = () => globSync('blobs/*-*/*/*', { cwd: to }).length
    const killed = await runWbs(where, ['restore', file], child => {
      void (async () => {
        while (child.exitCode === null && stored() === 0) await sleep(1)
        child.kill('SIGKILL')
        await once(child, 'exit')
      })()
    })
    assert.equal(killed.code, 'SIGKILL', killed.stdout)
    assert.ok(stored() > 0)
    const rows = await sqlOn(target.address, 'select from workspaces union all select from file_versions')
    assert.deepEqual(rows, [])

    const restored = await runWbsQuickly(where, ['restore', file])
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stdout, /^Restored [\d,]+ rows of \d+ tables and 151 blobs of 6\.3 MB from /)
    const verified = await runWbsQuickly(where, ['blobs', 'verify'])
    assert.equal(verified.stdout, 'Verified 151 blobs, 6.3 MB: all complete.\n')
  })

  it('without blobs is restored where the store has them', async context => {
    const [source, target] = [await createTestDatabase(), await createTestDatabase()]
    context.after(() => Promise.all([source.drop(), target.drop()]))
    const folder = await temporaryFolder(context)
    const store = createFilesystemStore(join(folder, 'blobs'))
    context.after(() => store.close())
    await using files = await openFileWriter(source.address, store)
    await files.add(Buffer.from('A page'))
    const file = join(folder, 'backup.tar.gz')
    const made = await runWbsQuickly({ DATABASE_URL: source.url, SVC_DATA_DIR: folder }, [
      'backup',
      file,
      '--without-blobs',
    ])
    assert.match(made.stdout, /^Backed up [\d,]+ rows of \d+ tables, without blobs, to /)
    const nowhere = join(folder, 'nowhere')
    const refused = await runWbsQuickly({ DATABASE_URL: target.url, SVC_DATA_DIR: nowhere }, [
      'restore',
      file,
    ])
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    // A slow machine shows its progress before.
    assert.match(refused.stderr, /^The backup was made without content, and the store does not have .*\n$/m)
    const restored = await runWbsQuickly({ DATABASE_URL: target.url, SVC_DATA_DIR: folder }, [
      'restore',
      file,
    ])
    assert.equal(restored.code, 0, restored.stderr)
  })
})
