import { after, before, describe } from 'node:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { itKeepsContent, itKeepsUploads } from './contract.ts'

describe('content in a folder', () => {
  let folder: string
  let store: BlobStore
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wbs-blobs-'))
    store = createFilesystemStore(join(folder, 'data', 'blobs'))
  })
  after(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })

  itKeepsContent(() => store)
  itKeepsUploads(() => store)
})
