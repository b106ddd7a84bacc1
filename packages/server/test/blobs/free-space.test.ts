import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { someBytes } from '../files/uploads/upload-fixture.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'

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

describe(
  'a disk with little free space',
  { skip: disk === null && 'this account may not mount a disk' },
  () => {
    let world: RoomWorld
    before(async () => {
      world = await makeRoomWorld({
        blobs: createFilesystemStore(String(disk), 32 * mebibyte),
        uploads: { part_bytes: 8 * mebibyte },
      })
    })
    after(async () => {
      await world.close()
      spawnSync('umount', [String(disk)])
      await rm(String(disk), { recursive: true })
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
      for (const { url } of parts)
        answers.push(await fetch(url, { method: 'PUT', body: new Uint8Array(part) }))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 503, 503],
      )
      assert.equal(answers.at(-1)?.headers.get('retry-after'), '1')
      await client.createRoom({ title: 'Sale of Glacier' })
      await client.abortUpload({ upload_id })
    })
  },
)
