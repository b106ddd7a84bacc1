import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { refused } from '../../harness/refused.ts'
import {
  makeUploadWorld,
  plainText,
  sha256Of,
  someBytes,
  type UploadWorld,
} from '../uploads/upload-fixture.ts'

let world: UploadWorld
before(async () => {
  // A version that cannot be processed within four seconds fails.
  world = await makeUploadWorld({ uploads: { processing_hours: 4 / 3600 } })
})
after(() => world.close())
const member = () => world.as(world.people.member)
const nothing = { ...plainText, summary: null, text: { status: 'none' as const, pages: [] } }
/** The next inspections find this. */
const find = (found: Partial<typeof plainText>) =>
  (world.inspection.next = () => Promise.resolve({ ...plainText, ...found }))

describe('The processing of a version', () => {
  it('keeps what was found, and the text in pages', async () => {
    find({ content_type: 'application/pdf', is_text: false })
    const begun = await world.upload(someBytes(1500), { content_type: 'application/octet-stream' })
    const version = await world.processed(begun)
    assert.partialDeepStrictEqual(version, {
      content_type: 'application/pdf',
      summary: 'Text, 2 pages',
      processing_error: null,
    })
    const { file_id } = begun.file
    const { data } = await member().getFileText({ file_id, page: 2 })
    assert.deepEqual(
      [data.text, data.has_more, data.extraction],
      ['page two', false, { status: 'ready', pages: 2 }],
    )
  })

  it('keeps no pages of content that is text, which are read from the content', async () => {
    find({ content_type: 'text/plain' })
    const begun = await world.upload(Buffer.from('The text itself'))
    await world.processed(begun)
    const { data } = await member().getFileText({ file_id: begun.file.file_id })
    assert.deepEqual([data.text, data.extraction], ['The text itself', { status: 'ready', pages: 1 }])
    const pages = await world.service.sql('select from file_pages where file_version_id = $1', [
      begun.new_version.file_version_id,
    ])
    assert.equal(pages.length, 0)
  })

  for (const error of ['type_mismatch', 'unreadable', 'malware_detected'] as const)
    it(`fails with ${error}, with an event, and its content cannot be read`, async () => {
      find({ ...nothing, error })
      const room_id = await world.room()
      const begun = await world.upload(someBytes(1500), { room_id })
      const version = await world.processed(begun)
      assert.deepEqual([version.processing_status, version.processing_error], ['failed', error])
      const { data } = await member().listEvents({ room_id, types: ['file.failed'] })
      assert.deepEqual(
        data.map(event => event.type === 'file.failed' && event.data.processing_error),
        [error],
      )
      const { file_id } = begun.file
      await refused(member().createDownloadLink({ file_id }), 'state_conflict')
      const [row] = await world.service.sql('select status from room_files where file_id = $1', [file_id])
      assert.deepEqual(row, { status: 'pending' })
    })

  it('can be asked for again after it failed', async () => {
    find({ ...nothing, error: 'unreadable' })
    const room_id = await world.room()
    const begun = await world.upload(someBytes(1500), { room_id })
    await world.processed(begun)
    const { file_id } = begun.file
    const { file_version_id } = begun.new_version
    const { file } = await member().getFile({ file_id })
    const stale = { file_id, file_version_id, expected_revision: file.revision - 1 }
    await refused(member().retryFileVersion(stale), 'revision_conflict')
    find({})
    const retried = await member().retryFileVersion({ ...stale, expected_revision: file.revision })
    assert.equal(retried.new_version.processing_status, 'processing')
    assert.equal((await world.processed(begun)).processing_status, 'ready')
    const again = { ...stale, expected_revision: retried.file.revision + 1 }
    await refused(member().retryFileVersion(again), 'state_conflict')
    assert.deepEqual((await world.eventsOf(room_id)).slice(-2), ['file.failed', 'file.ready'])
    const [row] = await world.service.sql('select status from room_files where file_id = $1', [file_id])
    assert.deepEqual(row, { status: 'active' })
  })

  it('is repeated after a fault of the environment', async () => {
    let attempts = 0
    world.inspection.next = () =>
      ++attempts === 1 ? Promise.reject(new Error('The scanner is away.')) : Promise.resolve(plainText)
    const begun = await world.upload(someBytes(1500))
    assert.equal((await world.processed(begun)).processing_status, 'ready')
    assert.ok(attempts >= 2)
  })

  it('ends with internal_error if the environment does not recover, and can then be asked for again', async () => {
    world.inspection.next = () => Promise.reject(new Error('The scanner is away.'))
    const begun = await world.upload(someBytes(1500))
    const failed = await world.processed(begun)
    assert.deepEqual([failed.processing_status, failed.processing_error], ['failed', 'internal_error'])
    find({})
    const { file_id, current_version } = (await member().getFile({ file_id: begun.file.file_id })).file
    const { file_version_id } = current_version
    await member().retryFileVersion({ file_id, file_version_id, expected_revision: 3 })
    assert.equal((await world.processed(begun)).processing_status, 'ready')
  })

  it('makes the newest ready version the current one, in whatever order they become ready', async () => {
    const contents = [someBytes(100), someBytes(101), someBytes(102)]
    find({})
    const first = await world.upload(contents[0] as Buffer)
    await world.processed(first)
    const { file_id } = first.file
    let { revision } = (await member().getFile({ file_id })).file
    const versions: { added: Awaited<ReturnType<Client['addFileVersion']>>; content: Buffer }[] = []
    for (const content of contents.slice(1)) {
      const added = await member().addFileVersion({
        file_id,
        expected_revision: revision,
        size_bytes: content.length,
      })
      versions.push({ added, content })
      revision = added.file.revision
    }
    const complete = async ({ added, content }: (typeof versions)[number]) => {
      await world.send(added.upload, content)
      await member().completeUpload({ upload_id: added.upload.upload_id })
      assert.equal((await world.processed(added)).processing_status, 'ready')
    }
    const [second, third] = versions as [(typeof versions)[number], (typeof versions)[number]]
    await complete(third)
    const now = (await member().getFile({ file_id })).file
    assert.deepEqual([now.current_version.version_number, now.revision], [3, revision + 1])
    await complete(second)
    const still = (await member().getFile({ file_id })).file
    assert.deepEqual(
      [still.current_version.version_number, still.current_version.sha256, still.revision],
      [3, sha256Of(third.content), revision + 1],
    )
  })

  it('leaves the current version if a newer one fails', async () => {
    find({})
    const first = await world.upload(someBytes(100))
    await world.processed(first)
    const { file_id } = first.file
    const { file } = await member().getFile({ file_id })
    const content = someBytes(100)
    const asked = { file_id, expected_revision: file.revision, size_bytes: content.length }
    const added = await member().addFileVersion(asked)
    find({ ...nothing, error: 'malware_detected' })
    await world.send(added.upload, content)
    await member().completeUpload({ upload_id: added.upload.upload_id })
    assert.equal((await world.processed(added)).processing_error, 'malware_detected')
    const now = (await member().getFile({ file_id })).file
    assert.deepEqual(
      [now.current_version.version_number, now.current_version.processing_status],
      [1, 'ready'],
    )
  })
})
