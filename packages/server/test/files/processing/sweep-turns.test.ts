import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { BlobKey, ListedBlob, ListedUpload } from '../../../src/blobs/blob-store.ts'
import { createBlobSweeper, type BlobSweeper } from '../../../src/files/processing/blob-sweeper.ts'
import { eventually } from '../../harness/eventually.ts'
import { quietLog } from '../../harness/quiet-log.ts'
import { startTestService, type TestService } from '../../harness/service.ts'

const workspace_id = randomUUID()
const names = Array.from({ length: 1200 }, () => randomBytes(32).toString('hex')).sort()
const uploadIds = Array.from({ length: 600 }, (_, at) => `upl_${String(at).padStart(26, '0')}`)

/** A node that sweeps, and what its store has listed for it. */
interface Node {
  sweeper: BlobSweeper
  listed: string[]
  listedUploads: string[]
}

interface NodeSettings {
  lookMilliseconds?: number
  /** Called before the store lists a name. */
  beforeName?: (at: number, node: Node) => unknown
  beforeUpload?: (at: number, node: Node) => unknown
}

describe('The nodes that sweep the store of content', () => {
  let service: TestService
  const nodes: Node[] = []
  before(async () => void (service = await startTestService()))
  after(() => service.close())
  beforeEach(() =>
    service.sql(
      `update content_sweep set due_at = now(), position = null, turn_id = null, turn_ends_at = null`,
    ),
  )
  afterEach(async () => void (await Promise.all(nodes.splice(0).map(({ sweeper }) => sweeper.close()))))

  function startNode({ beforeName, beforeUpload, ...settings }: NodeSettings = {}): Node {
    const node: Node = { listed: [], listedUploads: [], sweeper: undefined as never }
    async function* list(from?: BlobKey): AsyncGenerator<ListedBlob> {
      for (const [at, sha256] of names.entries()) {
        if (from && sha256 <= from.sha256) continue
        await beforeName?.(at, node)
        node.listed.push(sha256)
        yield { workspace_id, sha256, size_bytes: 1, stored_at: new Date() }
      }
    }
    async function* listUploads(): AsyncGenerator<ListedUpload> {
      for (const [at, upload_id] of uploadIds.entries()) {
        await beforeUpload?.(at, node)
        node.listedUploads.push(upload_id)
        yield { workspace_id, upload_id, reference: '', began_at: new Date() }
      }
    }
    const { blobs, database } = service
    node.sweeper = createBlobSweeper({
      blobs: { ...blobs, list, uploads: { ...blobs.uploads, list: listUploads } },
      readers: database.readers,
      writers: database.writers,
      now: () => new Date(),
      log: quietLog,
      ...settings,
    })
    nodes.push(node)
    return node
  }

  const endTurn = () =>
    service.sql(`update content_sweep set turn_ends_at = turn_ends_at - interval '5 minutes'`)
  const isPaused = async () =>
    (
      await service.sql(
        `select from content_sweep where position is null and turn_id is null
         and due_at between now() + interval '59 minutes' and now() + interval '1 hour'`,
      )
    ).length === 1

  it('list each name once in a round, however many sweep at once, and then pause', async () => {
    const three = [startNode(), startNode(), startNode()]
    const swept = await Promise.all(three.map(({ sweeper }) => sweeper.sweep()))
    assert.equal(swept.filter(one => one !== null).length, 1)
    assert.deepEqual(
      three.flatMap(({ listed }) => listed),
      names,
    )
    assert.deepEqual(
      three.flatMap(({ listedUploads }) => listedUploads),
      uploadIds,
    )
    assert.ok(await isPaused())
    assert.equal(await startNode().sweeper.sweep(), null)
  })

  it('go on at once where one stopped that was closed', async () => {
    const first = startNode({ beforeName: (at, { sweeper }) => void (at === 700 && sweeper.close()) })
    await assert.rejects(first.sweeper.sweep())
    await first.sweeper.close()
    const second = startNode()
    assert.notEqual(await second.sweeper.sweep(), null)
    assert.deepEqual(second.listed, names.slice(500))
    assert.deepEqual(second.listedUploads, uploadIds)
    assert.ok(await isPaused())
  })

  it('list no contents again for one that stopped among the uploads', async () => {
    const first = startNode({ beforeUpload: (at, { sweeper }) => void (at === 550 && sweeper.close()) })
    await assert.rejects(first.sweeper.sweep())
    await first.sweeper.close()
    const second = startNode()
    await second.sweeper.sweep()
    assert.deepEqual([second.listed, second.listedUploads], [[], uploadIds])
  })

  it('go on for one that is silent, once its turn is over, and it stops when it comes back', async () => {
    const isSilent = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const silent = startNode({
      async beforeName(at) {
        if (at !== 700) return
        isSilent.resolve()
        await mayGoOn.promise
      },
    })
    const sweeping = silent.sweeper.sweep()
    await isSilent.promise
    const second = startNode()
    assert.equal(await second.sweeper.sweep(), null)
    await endTurn()
    await second.sweeper.sweep()
    assert.deepEqual(second.listed, names.slice(500))
    mayGoOn.resolve()
    await sweeping
    assert.deepEqual(silent.listed, names.slice(0, 1000))
    assert.ok(await isPaused())
  })

  it('try again where one failed, once its turn is over', async () => {
    const failing = startNode({
      beforeName(at) {
        if (at === 1100) throw new Error('away')
      },
    })
    await assert.rejects(failing.sweeper.sweep(), /away/)
    const second = startNode()
    assert.equal(await second.sweeper.sweep(), null)
    await endTurn()
    await second.sweeper.sweep()
    assert.deepEqual(second.listed, names.slice(1000))
  })

  it('sweep soon after a start if a round is due, and not at every look', async () => {
    const two = [startNode({ lookMilliseconds: 20 }), startNode({ lookMilliseconds: 20 })]
    await eventually(isPaused)
    await sleep(100)
    assert.deepEqual(
      two.flatMap(({ listed }) => listed),
      names,
    )
  })
})
