import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { StoreUnavailable } from '../../src/blobs/blob-errors.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { someBytes } from '../files/uploads/upload-fixture.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'
import { begin, send } from './blob-world.ts'

const mebibyte = 1024 * 1024

/** A file system of 64 MiB; null if this account may not mount one. */
async function smallDisk(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder])
  if (status === 0) return folder
  await rm(folder, { recursive: true })
  return null
}

const disk = await smallDisk()
const empty = async () => {
  for (const name of await readdir(String(disk))) await rm(join(String(disk), name), { recursive: true })
}
const skip = disk === null && 'this account may not mount a disk'
after(async () => {
  if (disk === null) return
  spawnSync('umount', [disk])
  await rm(disk, { recursive: true })
})

describe('a disk with little free space', { skip }, () => {
  let world: RoomWorld
  before(async () => {
    world = await makeRoomWorld({
      blobs: createFilesystemStore(String(disk), 32 * mebibyte),
      uploads: { part_bytes: 8 * mebibyte },
    })
  })
  after(async () => {
    await world.close()
    await empty()
  })

  it('takes parts until the reserve is reached, then 503, while other changes go on', async () => {
    const { token } = world.people.member
    const { workspace_id } = world
    const client = world.service.client({ access_token: token, workspace_id, attempts: 1 })
    const part = someBytes(8 * mebibyte)
    const size_bytes = 6 * part.length
    const { upload } = await client.createFileUpload({
      name: 'A.bin',
      content_type: 'image/png',
      size_bytes,
    })
    const { upload_id } = upload
    const { parts } = await client.createPartUrls({ upload_id, part_numbers: [1, 2, 3, 4, 5, 6] })
    const answers = []
    for (const { url } of parts) answers.push(await fetch(url, { method: 'PUT', body: new Uint8Array(part) }))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 503, 503],
    )
    assert.equal(answers.at(-1)?.headers.get('retry-after'), '1')
    await client.createRoom({ title: 'Sale of Glacier' })
    await client.abortUpload({ upload_id })
  })
})

describe('the reserve of a disk', { skip }, () => {
  const partBytes = 8 * mebibyte
  const reserve = 24 * mebibyte
  let store: BlobStore
  beforeEach(() => void (store = createFilesystemStore(String(disk), reserve)))
  afterEach(async () => {
    await store.close()
    await empty()
  })

  /** So long that the store reads again what is free. */
  const aWhile = () => sleep(600)
  const free = async () => {
    const { bavail, bsize } = await statfs(String(disk))
    return bavail * bsize
  }

  it('is kept while many parts arrive slowly', async () => {
    const upload = await begin(store)
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    async function* slowly() {
      await arrived
      yield randomBytes(partBytes)
    }
    const answers: Promise<string>[] = []
    for (let part_number = 1; part_number <= 7; part_number++) {
      const written = store.uploads.writePart(upload, { part_number, size_bytes: partBytes }, slowly())
      answers.push(
        written.then(
          () => 'stored',
          (error: unknown) => (error instanceof StoreUnavailable ? error.code : 'failed'),
        ),
      )
      await aWhile()
    }
    arrive()
    assert.deepEqual(await Promise.all(answers), [...Array<string>(5).fill('stored'), 'ENOSPC', 'ENOSPC'])
    assert.ok((await free()) >= reserve)
  })

  it('is kept where the first part of an upload comes last, after which all can be sealed early', async () => {
    const upload = await begin(store)
    for (const part_number of [2, 3, 4, 1]) {
      await send(store, upload, part_number, randomBytes(partBytes))
      await aWhile()
    }
    await aWhile()
    assert.ok((await free()) >= reserve, `only ${(await free()) / mebibyte} MiB are free`)
    await send(store, await begin(store), 1, randomBytes(partBytes))
  })
})
