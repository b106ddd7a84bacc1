import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { StoreUnavailable } from '../../../src/blobs/blob-errors.ts'
import { createFilesystemStore } from '../../../src/blobs/filesystem/filesystem-store.ts'
import { eventually } from '../../harness/eventually.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'
import { textFile } from '../fresh-file.ts'

const content = 'for one download'

let world: RoomWorld
let folder: string
/** What the next reading of content comes to, instead of what the store has. */
let failure: (() => Promise<Readable>) | undefined
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wbs-links-'))
  const store = createFilesystemStore(folder)
  const read: typeof store.read = (...asked) => (failure ? failure() : store.read(...asked))
  world = await makeRoomWorld({ blobs: { ...store, read } })
})
after(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function newLink(): Promise<string> {
  const member = world.as(world.people.member)
  const { file_id } = await textFile(member, { content })
  return String((await member.createDownloadLink({ file_id })).url)
}

async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers })
  return { status: response.status, text: await response.text(), etag: response.headers.get('etag') ?? '' }
}

/** The status of GET and HEAD, which must not differ once the link was used. */
async function assertUsed(url: string) {
  assert.equal((await ask(url, {}, 'HEAD')).status, 410)
  const { status, text } = await ask(url)
  assert.deepEqual([status, (JSON.parse(text) as { code: string }).code], [410, 'gone'])
}

describe('a link to download', () => {
  it('is used up by its content, or by a range of it, for HEAD as well as for GET', async () => {
    for (const [headers, expected] of [
      [{}, { status: 200, text: content }],
      [{ range: 'bytes=4-6' }, { status: 206, text: 'one' }],
    ] as const) {
      const url = await newLink()
      const { etag, ...answer } = await ask(url, headers)
      assert.deepEqual(answer, expected)
      await assertUsed(url)
      for (const more of [{ range: 'bytes=900-' }, { 'if-none-match': etag }])
        assert.equal((await ask(url, more)).status, 410)
    }
  })

  it('is not used up by an answer without content: HEAD, 304, 416, 405', async () => {
    const url = await newLink()
    const { status, etag } = await ask(url, {}, 'HEAD')
    assert.equal(status, 200)
    assert.equal((await ask(url, { 'if-none-match': etag })).status, 304)
    assert.equal((await ask(url, { 'if-none-match': '*' }, 'HEAD')).status, 304)
    assert.equal((await ask(url, { range: 'bytes=900-' })).status, 416)
    assert.equal((await ask(url, {}, 'DELETE')).status, 405)
    assert.equal((await ask(url)).text, content)
    await assertUsed(url)
  })

  it('is not used up where the store fails before it has given a byte', async () => {
    const url = await newLink()
    const unavailable = new StoreUnavailable('read', 'away', null)
    const brokenStream = new Readable({
      read() {
        this.destroy(new Error('The disk is gone.'))
      },
    })
    for (const [status, fail] of [
      [503, () => Promise.reject(unavailable)],
      [500, async () => brokenStream],
    ] as const) {
      failure = fail
      assert.equal((await ask(url).finally(() => (failure = undefined))).status, status)
    }
    assert.equal((await ask(url)).text, content)
    await assertUsed(url)
  })

  it('is not used up by a client that has gone before its content could be sent', async () => {
    const url = await newLink()
    const asked = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<Readable>()
    failure = () => {
      asked.resolve()
      return opened.promise
    }
    const hangUp = new AbortController()
    const gone = fetch(url, { signal: hangUp.signal })
    await asked.promise
    hangUp.abort()
    await assert.rejects(gone)
    failure = undefined
    await eventually(() => world.service.logged.some(line => line.includes('"incomplete":true')))
    const source = Readable.from([Buffer.from(content)])
    const closed = new Promise(resolve => source.once('close', resolve))
    opened.resolve(source)
    await closed
    assert.equal((await ask(url)).text, content)
  })
})
