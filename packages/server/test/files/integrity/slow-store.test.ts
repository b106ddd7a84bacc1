import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { sweepBlobs } from '../../../src/files/processing/sweep-blobs.ts'
import { eventually } from '../../harness/eventually.ts'
import { readWhole } from '../content/read-whole.ts'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'
import { createSlowStore, type SlowStore, type StoreCall } from '../../blobs/slow-store.ts'
import { lastingTransactions } from '../../harness/transactions/lasting-transactions.ts'
import { makeUploadWorld, sha256Of, someBytes, type UploadWorld } from '../uploads/upload-fixture.ts'

let world: UploadWorld
let store: SlowStore
before(async () => {
  store = await createSlowStore()
  world = await makeUploadWorld({ blobs: store.blobs })
})
after(async () => {
  await world.close()
  await store.remove()
})

/** A new member, whose requests are sent once. */
async function newMember() {
  const person = world.service.person('Mara')
  const membership_id = await world.service.join(world.workspace_id, person, 'member')
  return { person, membership_id, client: once(person) }
}

const once = ({ token }: Person): Client =>
  world.service.client({ access_token: token, workspace_id: world.workspace_id, attempts: 1 })

const sweepAll = () => {
  const { readers, writers } = world.service.database
  const parts = { blobs: store.blobs, readers, writers, now: () => new Date() }
  return sweepBlobs(parts, { blob_hours: 0, upload_hours: 0 })
}

/** A change of Files that asks the store for something, prepared to be made by a member. */
type Change = (client: Client) => Promise<() => Promise<unknown>>

async function begun(client: Client) {
  const bytes = someBytes(2500)
  const { upload } = await world.begin(bytes, {}, client)
  return { bytes, upload, upload_id: upload.upload_id }
}

const changes: Record<string, [StoreCall, Change]> = {
  'create-text-file': [
    'put',
    async client => () => client.createTextFile({ name: 'Notes.md', content: `# ${Math.random()}` }),
  ],
  'create-file-upload': ['begin', async client => () => world.begin(someBytes(10), {}, client)],
  'add-file-version': [
    'begin',
    async client => {
      const { file } = await client.createTextFile({ name: 'Notes.md', content: 'A' })
      return () => client.addFileVersion({ file_id: file.file_id, expected_revision: 1, size_bytes: 10 })
    },
  ],
  'upload-content': [
    'writePart',
    async client => {
      const { upload_id, bytes } = await begun(client)
      return () => client.uploadContent({ upload_id, content: bytes.toString('base64') })
    },
  ],
  'complete-upload': [
    'seal',
    async client => {
      const { upload, upload_id, bytes } = await begun(client)
      await world.send(upload, bytes, undefined, client)
      return () => client.completeUpload({ upload_id })
    },
  ],
}

for (const [name, [call, change]] of Object.entries(changes))
  describe(`${name} while the store takes long`, () => {
    it('holds no transaction, lets others change things, and succeeds', async () => {
      const { client } = await newMember()
      const ask = await change(client)
      await store.whileAsked(call, ask, async () => {
        assert.deepEqual(await lastingTransactions(world.service), [])
        await world.as(world.people.owner).createTextFile({ name: 'Another.md', content: 'Another' })
      })
    })

    it('does not keep its caller from being removed, and is then refused', async () => {
      const { client, membership_id } = await newMember()
      const ask = await change(client)
      const answer = store.whileAsked(call, ask, () =>
        world.as(world.people.owner).removeMembership({ membership_id }),
      )
      await refused(answer, 'forbidden')
    })
  })

describe('content that was stored for a change that is then refused', () => {
  it('is removed at once', async () => {
    const { client, membership_id } = await newMember()
    const content = `# ${Math.random()}`
    const stored = () => store.blobs.has(world.workspace_id, sha256Of(Buffer.from(content)))
    const answer = store.whileAsked(
      'put',
      () => client.createTextFile({ name: 'Notes.md', content }),
      async () => {
        assert.ok(await stored())
        await world.as(world.people.owner).removeMembership({ membership_id })
      },
    )
    await refused(answer, 'forbidden')
    await eventually(async () => ((await stored()) ? undefined : true))
  })

  it('is removed at once if it does not have the announced SHA-256', async () => {
    const content = someBytes(900)
    const { upload } = await world.begin(content, { sha256: sha256Of(someBytes(5)) })
    await world.send(upload, content)
    const { new_version } = await world
      .as(world.people.member)
      .completeUpload({ upload_id: upload.upload_id })
    assert.equal(new_version.processing_error, 'checksum_mismatch')
    await eventually(async () =>
      (await store.blobs.has(world.workspace_id, sha256Of(content))) ? undefined : true,
    )
  })

  it('is not stored for somebody who may not create the File', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const content = `# ${Math.random()}`
    const guest = world.as(world.people.guest)
    await refused(guest.createTextFile({ name: 'Notes.md', content, room_id }), 'forbidden')
    assert.equal(await store.blobs.has(world.workspace_id, sha256Of(Buffer.from(content))), false)
  })
})

describe('the removal of content that takes long', () => {
  it('makes a change that names the content answer 503 meanwhile, and succeed afterwards', async () => {
    const content = `# ${Math.random()}`
    await store.blobs.put(world.workspace_id, Buffer.from(content))
    const owner = once(world.people.owner)
    const create = () => owner.createTextFile({ name: 'Notes.md', content })
    await store.whileAsked('remove', sweepAll, async () => {
      assert.deepEqual(await lastingTransactions(world.service), [])
      await refused(create(), 'unavailable')
    })
    const { file } = await create()
    assert.equal(await readWhole(owner, file.file_id), content)
  })

  for (const [name, call] of [
    ['create-text-file', 'put'],
    ['complete-upload', 'seal'],
  ] as const)
    it(`makes ${name} answer 503 if it came between storing and naming the content, and then succeed`, async () => {
      const { client } = await newMember()
      const ask = await (changes[name] as [StoreCall, Change])[1](client)
      await refused(store.whileAsked(call, ask, sweepAll), 'unavailable')
      await ask()
    })

  it('that failed is made up for, and the content cannot be named before', async () => {
    const content = someBytes(700)
    const { workspace_id } = world
    await store.blobs.put(workspace_id, content)
    const remove = store.blobs.remove
    store.blobs.remove = () => Promise.reject(new Error('away'))
    await assert.rejects(sweepAll(), /away/).finally(() => (store.blobs.remove = remove))
    await sweepAll()
    assert.ok(await store.blobs.has(workspace_id, sha256Of(content)))
    await world.service.sql(`update content_removals set began_at = began_at - interval '61 minutes'`)
    await sweepAll()
    assert.equal(await store.blobs.has(workspace_id, sha256Of(content)), false)
  })
})
