import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { processFileVersion } from '../../../src/files/processing/process-file-version.ts'

describe('an inspection whose node stops', () => {
  it('ends with the reason of the node and decides nothing, even if it is the last attempt', async () => {
    const node = new AbortController()
    const stop = new Error('The node stops.')
    const stored = {
      stored_sha256: 'a'.repeat(64),
      name: 'Notes.txt',
      version: { processing_status: 'processing', content_type: 'text/plain', size_bytes: 1 },
    }
    let changes = 0
    const work = processFileVersion({
      readers: { scoped: () => ({ one: async () => stored }) as never },
      blobs: { read: () => Promise.reject(new Error('It is not read.')) },
      inspector: {
        inspect: async (_content, turn) => {
          node.abort(stop)
          throw turn?.signal?.reason
        },
      },
      time: { left: async () => 60_000, charge: () => undefined } as never,
      change: async () => void changes++,
      now: () => new Date(),
    })
    const data = { workspace_id: 'w', file_version_id: 'v', last: true }
    await assert.rejects(work(data, { id: 'j', stopping: node.signal }), stop)
    assert.equal(changes, 0)
  })
})
