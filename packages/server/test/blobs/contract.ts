import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import {
  StoreUnavailable,
  BlobMissing,
  PartSizeMismatch,
  PartsMissing,
  UploadMissing,
} from '../../src/blobs/blob-errors.ts'
import type { BlobKey, BlobStore } from '../../src/blobs/blob-store.ts'
import { proofRuns } from '../harness/proof.ts'
import {
  allOf,
  begin,
  contentOf,
  inChunks,
  newTestId,
  newUpload,
  readAll,
  send,
  sha256Of,
} from './blob-world.ts'

/** What every store does, whatever it keeps content in. `storeOf` gives the store of the running suite. */
export function itKeepsContent(storeOf: () => BlobStore): void {
  it('returns the bytes it was given, of any size', async () => {
    const store = storeOf()
    const workspace_id = newTestId('wsp')
    for (const size of [0, 1, 65_535, 65_536, 1_000_001]) {
      const bytes = randomBytes(size)
      const stored = await store.put(workspace_id, bytes)
      assert.deepEqual(stored, contentOf(bytes))
      assert.ok((await readAll(store, workspace_id, stored.sha256)).equals(bytes), String(size))
      assert.equal(await store.has(workspace_id, stored.sha256), true)
    }
  })

  it('returns a range of bytes, which may end after the content', async () => {
    const store = storeOf()
    const workspace_id = newTestId('wsp')
    const bytes = randomBytes(100_000)
    const { sha256 } = await store.put(workspace_id, bytes)
    for (const [start, end] of [
      [0, 1],
      [0, 100_000],
      [99_999, 100_000],
      [1_234, 56_789],
      [99_990, 200_000],
      [100_000, 100_010],
      [500, 500],
    ] as const) {
      const read = await readAll(store, workspace_id, sha256, { start, end })
      assert.ok(read.equals(bytes.subarray(start, end)), `${start} to ${end}`)
    }
  })

  it('has nothing that was not stored, or was removed', async () => {
    const store = storeOf()
    const workspace_id = newTestId('wsp')
    const bytes = randomBytes(10)
    const { sha256 } = await store.put(workspace_id, bytes)
    await store.remove(workspace_id, sha256)
    await store.remove(workspace_id, sha256)
    for (const absent of [sha256, sha256Of(randomBytes(9))]) {
      assert.equal(await store.has(workspace_id, absent), false)
      await assert.rejects(store.read(workspace_id, absent), BlobMissing)
      await assert.rejects(store.read(workspace_id, absent, { start: 0, end: 5 }), BlobMissing)
      await assert.rejects(store.read(workspace_id, absent, { start: 5, end: 5 }), BlobMissing)
    }
    await store.put(workspace_id, bytes)
    assert.equal(await store.has(workspace_id, sha256), true)
  })

  it('keeps the same bytes of two Workspaces apart', async () => {
    const store = storeOf()
    const [one, other] = [newTestId('wsp'), newTestId('wsp')]
    const bytes = randomBytes(1000)
    const { sha256 } = await store.put(one, bytes)
    assert.equal(await store.has(other, sha256), false)
    await assert.rejects(store.read(other, sha256), BlobMissing)
    await store.put(other, bytes)
    await store.remove(one, sha256)
    assert.ok((await readAll(store, other, sha256)).equals(bytes))
  })

  it('lists every blob with its size and age, and the age starts anew when it is stored again', async () => {
    const store = storeOf()
    const [one, other] = [newTestId('wsp'), newTestId('wsp')]
    const stored = [
      { workspace_id: one, ...(await store.put(one, randomBytes(3))) },
      { workspace_id: other, ...(await store.put(other, randomBytes(4))) },
    ]
    await begin(store)
    const before = await ownList()
    assert.deepEqual(
      new Set(before.map(({ workspace_id, sha256, size_bytes }) => ({ workspace_id, sha256, size_bytes }))),
      new Set(stored),
    )
    const first = timeOf(before)
    assert.ok(Math.abs(first - Date.now()) < 60_000)
    const bytes = await readAll(store, one, stored[0]?.sha256 ?? '')
    // S3 gives times in seconds.
    await new Promise(resolve => setTimeout(resolve, 1100))
    await store.put(one, bytes)
    assert.ok(timeOf(await ownList()) > first)

    async function ownList() {
      const all = await allOf(store.list())
      return all.filter(({ workspace_id }) => [one, other].includes(workspace_id))
    }
    function timeOf(list: Awaited<ReturnType<typeof ownList>>): number {
      return list.find(({ workspace_id }) => workspace_id === one)?.stored_at.getTime() ?? 0
    }
  })

  it('lists what comes after a blob, whether or not that is still there', async () => {
    const store = storeOf()
    const workspaces = [newTestId('wsp'), newTestId('wsp')]
    for (const workspace_id of workspaces)
      for (let size = 1; size <= 5; size++) await store.put(workspace_id, randomBytes(size))
    const own = async (after?: BlobKey) =>
      (await allOf(store.list(after))).filter(({ workspace_id }) => workspaces.includes(workspace_id))
    const all = await own()
    assert.equal(all.length, 10)
    for (const [at, blob] of all.entries()) assert.deepEqual(await own(blob), all.slice(at + 1))
    const [first, second, ...rest] = all
    assert.ok(first && second)
    await store.remove(second.workspace_id, second.sha256)
    assert.deepEqual(await own(first), rest)
    assert.deepEqual(await own(second), rest)
  })

  it('takes no name that could lead elsewhere', async () => {
    const store = storeOf()
    const { sha256 } = contentOf(randomBytes(1))
    const upload = await begin(store)
    for (const id of ['..', 'uploads', 'wsp_A/..', 'wsp_', ''])
      await assert.rejects(store.put(id, randomBytes(1)), /cannot name content/, id)
    for (const name of ['..', sha256.toUpperCase(), `${sha256.slice(1)}/`, ''])
      await assert.rejects(store.read(newTestId('wsp'), name), /64 hexadecimal/, name)
    for (const part_number of [0, -1, 1.5, 10_001])
      await assert.rejects(send(store, upload, part_number, randomBytes(1)), /from 1 to 10000/)
  })

  it('is usable, and says so', () => storeOf().check())
}

export function itKeepsUploads(storeOf: () => BlobStore): void {
  it('makes one blob of parts of any size that arrive in any order', async () => {
    const store = storeOf()
    const size = 50_000
    for (const [count, last] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [1, size],
      [2, 1],
      [2, size - 1],
      [proofRuns({ full: 12, short: 3 }), size],
    ] as const) {
      const upload = await begin(store)
      const parts = Array.from({ length: count }, (_, at) => randomBytes(at === count - 1 ? last : size))
      const numbered = parts.map((bytes, at) => ({ bytes, number: at + 1 }))
      for (const { bytes, number } of numbered.toReversed()) await send(store, upload, number, bytes)
      const bytes = Buffer.concat(parts)
      assert.deepEqual(await store.uploads.seal(upload, count), contentOf(bytes), `${count} parts`)
      assert.ok((await readAll(store, upload.workspace_id, sha256Of(bytes))).equals(bytes))
      await store.uploads.discard(upload)
      assert.equal(await store.has(upload.workspace_id, sha256Of(bytes)), true)
    }
  })

  it('takes parts in parallel, and lists them in order', async () => {
    const store = storeOf()
    const upload = await begin(store)
    const parts = Array.from({ length: 11 }, () => randomBytes(30_000))
    const etags = await Promise.all(parts.map((bytes, at) => send(store, upload, at + 1, bytes)))
    const listed = await store.uploads.parts(upload)
    assert.deepEqual(
      listed.map(({ part_number, size_bytes, etag }) => ({ part_number, size_bytes, etag })),
      etags.map(({ etag }, at) => ({ part_number: at + 1, size_bytes: 30_000, etag })),
    )
    for (const { stored_at } of listed) assert.ok(Math.abs(stored_at.getTime() - Date.now()) < 60_000)
    assert.deepEqual(await store.uploads.seal(upload, 11), contentOf(Buffer.concat(parts)))
  })

  it('keeps what was sent last for a part', async () => {
    const store = storeOf()
    const upload = await begin(store)
    const last = randomBytes(2000)
    const first = randomBytes(3000)
    for (const bytes of [randomBytes(1000), last, first, randomBytes(2000), last])
      await send(store, upload, 2, bytes)
    await send(store, upload, 1, first)
    const parts = await store.uploads.parts(upload)
    assert.deepEqual(
      parts.map(({ size_bytes }) => size_bytes),
      [3000, 2000],
    )
    assert.deepEqual(await store.uploads.seal(upload, 2), contentOf(Buffer.concat([first, last])))
  })

  it('keeps one whole part of those that are sent at the same time', async () => {
    const store = storeOf()
    const upload = await begin(store)
    const sent = Array.from({ length: 8 }, () => randomBytes(20_000))
    await Promise.all(sent.map(bytes => send(store, upload, 1, bytes)))
    const { sha256 } = await store.uploads.seal(upload, 1)
    assert.ok(sent.map(sha256Of).includes(sha256))
  })

  it('refuses a part of another size, and keeps the one before', async () => {
    const store = storeOf()
    const upload = await begin(store)
    const bytes = randomBytes(20_000)
    await send(store, upload, 1, bytes)
    for (const size_bytes of [19_999, 20_001, 0]) {
      const part = { part_number: 1, size_bytes }
      await assert.rejects(
        store.uploads.writePart(upload, part, inChunks(randomBytes(20_000))),
        PartSizeMismatch,
      )
    }
    async function* broken() {
      yield randomBytes(10_000)
      await Promise.resolve()
      throw new Error('The client is gone.')
    }
    const part = { part_number: 1, size_bytes: 20_000 }
    await assert.rejects(store.uploads.writePart(upload, part, broken()), /The client is gone/)
    assert.deepEqual(await store.uploads.seal(upload, 1), contentOf(bytes))
  })

  it('names the parts that are missing, and seals once they are there', async () => {
    const store = storeOf()
    const upload = await begin(store)
    const parts = Array.from({ length: 4 }, () => randomBytes(100))
    await send(store, upload, 2, parts[1] as Buffer)
    await assert.rejects(store.uploads.seal(upload, 4), (error: unknown) => {
      assert.ok(error instanceof PartsMissing)
      assert.deepEqual(error.part_numbers, [1, 3, 4])
      return true
    })
    for (const at of [0, 2, 3]) await send(store, upload, at + 1, parts[at] as Buffer)
    assert.deepEqual(await store.uploads.seal(upload, 4), contentOf(Buffer.concat(parts)))
  })

  it('leaves out parts beyond the declared number', async () => {
    const store = storeOf()
    const upload = await begin(store)
    const parts = Array.from({ length: 3 }, () => randomBytes(100))
    for (const [at, bytes] of parts.entries()) await send(store, upload, at + 1, bytes)
    assert.deepEqual(await store.uploads.seal(upload, 2), contentOf(Buffer.concat(parts.slice(0, 2))))
  })

  it('seals an upload again with the same result until it is discarded', async () => {
    const store = storeOf()
    for (const count of [1, 2]) {
      const upload = await begin(store)
      const parts = Array.from({ length: count }, () => randomBytes(5000))
      for (const [at, bytes] of parts.entries()) await send(store, upload, at + 1, bytes)
      const content = contentOf(Buffer.concat(parts))
      assert.deepEqual(await store.uploads.seal(upload, count), content)
      assert.deepEqual(await store.uploads.seal(upload, count), content)
      // If both complete the upload at once, one may read while it changes, and is told to seal again.
      const sealed = () =>
        store.uploads.seal(upload, count).catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error
          return store.uploads.seal(upload, count)
        })
      assert.deepEqual(await Promise.all([sealed(), sealed()]), [content, content])
      await store.remove(upload.workspace_id, content.sha256)
      assert.deepEqual(await store.uploads.seal(upload, count), content)
      await store.uploads.discard(upload)
      await assert.rejects(store.uploads.seal(upload, count), UploadMissing)
      assert.ok((await readAll(store, upload.workspace_id, content.sha256)).equals(Buffer.concat(parts)))
    }
  })

  it('does not let a late part change what is sealed', async () => {
    const store = storeOf()
    for (const count of [1, 2]) {
      const upload = await begin(store)
      const parts = Array.from({ length: count }, () => randomBytes(5000))
      for (const [at, bytes] of parts.entries()) await send(store, upload, at + 1, bytes)
      const { sha256 } = await store.uploads.seal(upload, count)
      const late = randomBytes(5000)
      for (const bytes of [late, parts[0] as Buffer])
        await send(store, upload, 1, bytes).catch((error: unknown) =>
          assert.ok(error instanceof UploadMissing),
        )
      assert.ok((await readAll(store, upload.workspace_id, sha256)).equals(Buffer.concat(parts)))
      await store.uploads.discard(upload)
      await assert.rejects(send(store, upload, 1, late), UploadMissing)
      assert.deepEqual(await store.uploads.parts(upload), [])
      assert.ok((await readAll(store, upload.workspace_id, sha256)).equals(Buffer.concat(parts)))
    }
  })

  it('ends a sealing that nobody wants any more with the reason of the signal', async () => {
    const store = storeOf()
    const upload = await begin(store)
    await send(store, upload, 1, randomBytes(5000))
    const reason = new Error('The service stops.')
    await assert.rejects(store.uploads.seal(upload, 1, AbortSignal.abort(reason)), reason)
    const stop = new AbortController()
    const sealing = store.uploads.seal(upload, 1, stop.signal)
    stop.abort(reason)
    await assert.rejects(sealing, reason)
    assert.equal((await store.uploads.seal(upload, 1)).size_bytes, 5000)
  })

  it('lists uploads until they are discarded', async () => {
    const store = storeOf()
    const workspace_id = newTestId('wsp')
    const uploads = [await begin(store, newUpload(workspace_id)), await begin(store, newUpload(workspace_id))]
    const [one, other] = uploads
    assert.ok(one && other)
    await send(store, one, 1, randomBytes(5))
    assert.deepEqual(await own(), new Set([one.upload_id, other.upload_id]))
    await store.uploads.seal(one, 1)
    assert.deepEqual(await own(), new Set([one.upload_id, other.upload_id]))
    for (const upload of await list()) {
      assert.ok(Math.abs(upload.began_at.getTime() - Date.now()) < 60_000)
      await store.uploads.discard(upload)
    }
    assert.deepEqual(await own(), new Set())
    for (const upload of uploads) await store.uploads.discard(upload)
    await store.uploads.discard({ ...newUpload(), reference: one.reference })

    async function list() {
      const all = await allOf(store.uploads.list())
      return all.filter(upload => upload.workspace_id === workspace_id)
    }
    async function own() {
      return new Set((await list()).map(({ upload_id }) => upload_id))
    }
  })
}
