import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { refused } from '../../harness/refused.ts'
import { makeUploadWorld, partOf, put, someBytes, type UploadWorld } from './upload-fixture.ts'

let world: UploadWorld
before(async () => void (world = await makeUploadWorld()))
after(() => world.close())
const as = (name: keyof UploadWorld['people']) => world.as(world.people[name])

const content = someBytes(1500)

/** An upload into a Room, by a guest with edit access, and an address of its first part. */
async function byGuest() {
  const room_id = await world.room()
  const participant_id = await world.invite(room_id, world.people.guest, 'edit')
  const begun = await world.begin(content, { room_id }, as('guest'))
  const { upload_id } = begun.upload
  const { parts } = await as('guest').createPartUrls({ upload_id, part_numbers: [1, 2] })
  return { ...begun, upload_id, room_id, participant_id, urls: parts.map(part => part.url) }
}

/** All that can be done with an upload. */
const uses = (client: Client, upload_id: Awaited<ReturnType<typeof byGuest>>['upload_id']) => [
  () => client.getUpload({ upload_id }),
  () => client.createPartUrls({ upload_id, part_numbers: [1] }),
  () => client.uploadContent({ upload_id, content: content.toString('base64') }),
  () => client.completeUpload({ upload_id }),
  () => client.abortUpload({ upload_id }),
]

describe('Who may use an upload', () => {
  it('is everybody who may edit the File', async () => {
    const { upload, upload_id, room_id } = await byGuest()
    await world.invite(room_id, world.people.admin, 'edit')
    await world.send(upload, content, [1, 2], as('admin'))
    assert.equal((await as('admin').getUpload({ upload_id })).upload.received_parts.length, 2)
    await as('admin').completeUpload({ upload_id })
  })

  it('is nobody else: those who see the File, those who do not, and other Workspaces get 404', async () => {
    const { upload_id, room_id } = await byGuest()
    await world.invite(room_id, world.people.admin, 'view')
    for (const name of ['admin', 'owner'] as const)
      for (const use of uses(as(name), upload_id)) await refused(use(), 'not_found')
    const viewer = as('viewer').completeUpload({ upload_id })
    assert.equal((await refused(viewer, 'forbidden')).required_permission, 'files:write')
    for (const use of uses(as('rival'), upload_id)) await refused(use(), 'forbidden')
  })

  it('ends with the edit access, also for who began it and for the addresses that they have', async () => {
    const { upload_id, file, participant_id, urls } = await byGuest()
    assert.equal((await put(urls[0] ?? '', partOf(content, 1))).status, 200)
    await world.service.sql(`update room_participants set access_level = 'view' where id = $1`, [
      participant_id,
    ])
    assert.equal((await put(urls[1] ?? '', partOf(content, 2))).status, 404)
    for (const use of uses(as('guest'), upload_id)) await refused(use(), 'not_found')
    assert.deepEqual((await as('guest').listUploads({ file_id: file.file_id })).data, [])
    await world.service.sql(
      `update room_participants set status = 'revoked' where workspace_id = $1 and user_id = $2`,
      [world.workspace_id, world.people.guest.user_id],
    )
    assert.equal((await put(urls[1] ?? '', partOf(content, 2))).status, 403)
  })

  it('ends with the membership, the permission and the API key', async () => {
    const { upload } = await world.begin(content)
    const { upload_id } = upload
    const { secret, key_id } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'files:read',
      'files:write',
    ])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const { parts } = await key.createPartUrls({ upload_id, part_numbers: [1] })
    const byKey = parts[0]?.url ?? ''
    const byMember = (await as('member').createPartUrls({ upload_id, part_numbers: [1] })).parts[0]?.url ?? ''
    const send = async (url: string) => (await put(url, partOf(content, 1))).status
    assert.deepEqual([await send(byKey), await send(byMember)], [200, 200])
    await world.service.sql(`update api_keys set scopes = '{files:read}' where id = $1`, [key_id])
    assert.deepEqual([await send(byKey), await send(byMember)], [403, 200])
    const set = (permissions: object) =>
      world.service.sql('update memberships set permissions = $2 where workspace_id = $1 and user_id = $3', [
        world.workspace_id,
        permissions,
        world.people.member.user_id,
      ])
    await set({ 'files:write': false })
    assert.equal(await send(byMember), 403)
    await set({})
    assert.equal(await send(byMember), 200)
  })

  it('is nobody while the File is archived', async () => {
    const { upload, file } = await world.begin(content)
    const { upload_id } = upload
    await world.send(upload, content)
    await as('member').archiveFile({ file_id: file.file_id, expected_revision: 1 })
    for (const use of uses(as('member'), upload_id).slice(1, 4))
      assert.equal((await refused(use(), 'state_conflict')).current_status, 'archived')
    await as('member').abortUpload({ upload_id })
  })
})

describe('POST /v1/files', () => {
  it('requires a place where the caller may create Files', async () => {
    const room_id = await world.room()
    await refused(world.begin(content, { room_id }, as('owner')), 'not_found')
    await world.invite(room_id, world.people.guest, 'view')
    await refused(world.begin(content, { room_id }, as('guest')), 'forbidden')
    await refused(world.begin(content, {}, as('guest')), 'forbidden')
    await refused(world.begin(content, {}, as('viewer')), 'forbidden')
    await as('member').archiveRoom({ room_id, expected_revision: 1 })
    await refused(world.begin(content, { room_id }), 'state_conflict')
  })

  it('allows a person 1,000 open uploads', async () => {
    const owner = as('owner')
    const { upload } = await world.begin(content, {}, owner)
    await world.service.sql(
      `insert into file_uploads (workspace_id, id, file_id, file_version_id, size_bytes, part_size_bytes, part_count, reference, created_by, created_at)
       select workspace_id, 'upl_copy' || n, file_id, file_version_id, size_bytes, part_size_bytes, part_count, '', created_by, created_at
       from file_uploads, generate_series(1, 999) n where id = $1`,
      [upload.upload_id],
    )
    await refused(world.begin(content, {}, owner), 'limit_reached')
    await owner.abortUpload({ upload_id: upload.upload_id })
    await world.begin(content, {}, owner)
    await world.service.sql(`delete from file_uploads where id like 'upl_copy%'`)
  })
})

describe('POST /v1/files/{file_id}/versions', () => {
  it('begins a version of the File that was read, and leaves its current version', async () => {
    const room_id = await world.room()
    const begun = await world.upload(content, { room_id })
    await world.processed(begun)
    const { file_id } = begun.file
    const asked = { file_id, size_bytes: 500 }
    await refused(as('member').addFileVersion({ ...asked, expected_revision: 1 }), 'revision_conflict')
    const added = await as('member').addFileVersion({ ...asked, expected_revision: 3 })
    assert.partialDeepStrictEqual(added, {
      file: { revision: 4, current_version: { version_number: 1, processing_status: 'ready' } },
      new_version: { version_number: 2, processing_status: 'pending_upload', content_type: 'text/plain' },
      upload: { part_count: 1, status: 'open' },
    })
    assert.equal((await world.eventsOf(room_id)).at(-1), 'file.version_added')
    await refused(as('owner').addFileVersion({ ...asked, expected_revision: 4 }), 'not_found')
    await world.invite(room_id, world.people.guest, 'view')
    await refused(as('guest').addFileVersion({ ...asked, expected_revision: 4 }), 'forbidden')
    await world.service.sql('update file_versions set number = 1000 where id = $1', [
      added.new_version.file_version_id,
    ])
    await refused(as('member').addFileVersion({ ...asked, expected_revision: 4 }), 'limit_reached')
    await as('member').archiveFile({ file_id, expected_revision: 4 })
    await refused(as('member').addFileVersion({ ...asked, expected_revision: 5 }), 'state_conflict')
  })
})
