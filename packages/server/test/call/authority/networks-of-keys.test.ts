import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createFilesystemStore } from '../../../src/blobs/filesystem/filesystem-store.ts'
import { openStream } from '../../activity/event-reader.ts'
import { textFile } from '../../files/fresh-file.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'

/** Where a proxy says that a client is: within the networks of a key, beside them, and another place within. */
const inside = '192.0.2.7'
const outside = '198.51.100.7'
const alsoInside = '::ffff:192.0.2.200'
const networks = ['192.0.2.0/24']

const scopes = ['files:read', 'files:write', 'files:download', 'events:read'] as const
const content = Buffer.from('for some networks')

let world: RoomWorld
/** The store gives addresses of its own for parts, as an object store does. */
let presigns = false
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wbs-networks-'))
  const store = createFilesystemStore(folder)
  const partUrl = async () => (presigns ? { url: 'https://bucket.example.com/part', headers: {} } : null)
  const blobs = { ...store, uploads: { ...store.uploads, partUrl } }
  world = await makeRoomWorld({ blobs, trustedProxies: ['127.0.0.0/8'], heartbeat: 50 })
})
after(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function newKey(allowed_cidrs: readonly string[] | null = networks) {
  const key = await world.as(world.people.owner).createApiKey({ name: 'A key', scopes, allowed_cidrs })
  return { key_id: key.data.key_id, secret: key.secret ?? assert.fail('There is no secret.') }
}
type Key = Awaited<ReturnType<typeof newKey>>

async function narrow({ key_id }: Key, allowed_cidrs: readonly string[]) {
  const owner = world.as(world.people.owner)
  const { revision: expected_revision } = (await owner.getApiKey({ key_id })).data
  await owner.updateApiKey({ key_id, expected_revision, allowed_cidrs })
}

const asKey = ({ secret }: Key, from: string) => ({
  'x-svc-api-key': secret,
  'svc-workspace-id': world.workspace_id,
  'x-forwarded-for': from,
})

async function post(key: Key, path: string, body: object, from = inside) {
  const headers = {
    ...asKey(key, from),
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  }
  const answer = await world.service.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

/** Sends a request without a credential, as whoever has a URL does. */
async function from(address: string, url: string, init: RequestInit = {}) {
  const response = await fetch(url, { ...init, headers: { 'x-forwarded-for': address } })
  return { status: response.status, text: await response.text() }
}

function assertRefused({ status, text }: { status: number; text: string }) {
  const { code, detail } = JSON.parse(text) as { code: string; detail: string }
  assert.deepEqual(
    [status, code, detail],
    [403, 'forbidden', 'The API key does not allow requests from your IP address.'],
  )
}

async function linkBy(key: Key): Promise<string> {
  const { file_id } = await textFile(world.as(world.people.owner), { content: String(content) })
  return (await post(key, `/v1/files/${file_id}/download-links`, {})).url
}

/** A new upload by a key, and the URL of its one part. */
async function partBy(key: Key): Promise<{ upload_id: string; url: string }> {
  const file = { name: 'a.txt', content_type: 'text/plain', size_bytes: content.length }
  const { upload_id } = (await post(key, '/v1/files', file)).upload
  const { parts } = await post(key, `/v1/uploads/${upload_id}/part-urls`, { part_numbers: [1] })
  return { upload_id, url: parts[0].url }
}
const put = (address: string, url: string) =>
  from(address, url, { method: 'PUT', body: new Uint8Array(content) })

describe('a link to download by a key with allowed_cidrs', () => {
  it('leads to the content from its networks alone, and a refusal does not use it up', async () => {
    const url = await linkBy(await newKey())
    assertRefused(await from(outside, url))
    assert.equal((await from(outside, url, { method: 'HEAD' })).status, 403)
    assert.deepEqual(await from(alsoInside, url), { status: 200, text: String(content) })
  })

  it('is refused outside of networks that the key was given after it', async () => {
    const key = await newKey(null)
    const url = await linkBy(key)
    await narrow(key, networks)
    assertRefused(await from(outside, url))
    assert.equal((await from(inside, url)).status, 200)
  })

  it('works anywhere if a person asked for it, or a key without networks', async () => {
    assert.equal((await from(outside, await linkBy(await newKey(null)))).status, 200)
    const owner = world.as(world.people.owner)
    const { file_id } = await textFile(owner)
    const { url } = await owner.createDownloadLink({ file_id })
    assert.equal((await from(outside, String(url))).status, 200)
  })
})

describe('the URL of a part by a key with allowed_cidrs', () => {
  it('takes the part from its networks alone', async () => {
    const key = await newKey()
    const { upload_id, url } = await partBy(key)
    assertRefused(await put(outside, url))
    const { received_parts } = (
      await world.service.request(`/v1/uploads/${upload_id}`, { headers: asKey(key, inside) })
    ).body.upload
    assert.deepEqual(received_parts, [])
    assert.equal((await put(alsoInside, url)).status, 200)
  })

  it('takes nothing outside of networks that the key was given after it', async () => {
    const key = await newKey(null)
    const { url } = await partBy(key)
    await narrow(key, networks)
    assertRefused(await put(outside, url))
    assert.equal((await put(inside, url)).status, 200)
  })

  it('leads to the service where others lead to the store, which would take the part from anywhere', async () => {
    presigns = true
    try {
      assert.equal(new URL((await partBy(await newKey(null))).url).host, 'bucket.example.com')
      const key = await newKey()
      const { upload_id, url } = await partBy(key)
      assert.ok(url.startsWith(world.service.base_url))
      assertRefused(await put(outside, url))
      assert.equal((await put(inside, url)).status, 200)
      const { upload } = await post(key, `/v1/uploads/${upload_id}/complete`, {})
      assert.equal(upload.status, 'completed')
    } finally {
      presigns = false
    }
  })
})

describe('a request of a key that waits', () => {
  it('ends when the key is given networks without its address', async () => {
    const key = await newKey(null)
    const stream = await openStream(world, asKey(key, outside))
    assert.equal(stream.status, 200)
    await stream.next('comment')
    await narrow(key, networks)
    await stream.ended
    assert.equal((await openStream(world, asKey(key, outside))).status, 403)
    const other = await openStream(world, asKey(key, inside))
    assert.equal(other.status, 200)
    other.close()
  })
})
