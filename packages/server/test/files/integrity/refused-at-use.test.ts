import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@wbs/sdk'
import { addBusiness } from '../../harness/businesses.ts'
import type { Person } from '../../harness/service.ts'
import { makeUploadWorld, put, sha256Of, type UploadWorld } from '../uploads/upload-fixture.ts'

let world: UploadWorld
before(async () => void (world = await makeUploadWorld()))
after(() => world.close())
const us = () => world.as(world.people.member)

const content = Buffer.from('The price is 4,200,000.')

/** What somebody holds of a File that they may edit: links, addresses of parts, ids. */
async function heldBy(client: Client, room_id: string) {
  const { file, room_file } = await us().createTextFile({
    name: 'Price.md',
    content: content.toString(),
    room_id,
  })
  const { file_id } = file
  const { file_version_id } = file.current_version
  const { url } = await client.createDownloadLink({ file_id })
  const size_bytes = content.length
  const { upload } = await us().addFileVersion({ file_id, expected_revision: 1, size_bytes })
  const { upload_id } = upload
  const { parts } = await client.createPartUrls({ upload_id, part_numbers: [1] })
  const part = parts[0]?.url ?? ''
  assert.equal((await put(part, content)).status, 200)
  return {
    file_id,
    file_version_id,
    room_file_id: room_file?.room_file_id ?? '',
    upload_id,
    link: url ?? '',
    part,
  }
}
type Held = Awaited<ReturnType<typeof heldBy>>

const idempotent = () => ({ 'idempotency-key': crypto.randomUUID(), 'content-type': 'application/json' })

/** Every way in which content can be had or changed. */
const ways: Record<string, (held: Held) => [path: string, init?: RequestInit]> = {
  file: ({ file_id }) => [`/v1/files/${file_id}`],
  room_file: ({ room_file_id }) => [`/v1/room-files/${room_file_id}`],
  content: ({ file_id }) => [
    `/v1/files/${file_id}/content`,
    { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
  ],
  'content of a version': ({ file_id, file_version_id }) => [
    `/v1/files/${file_id}/content`,
    {
      method: 'POST',
      body: JSON.stringify({ file_version_id }),
      headers: { 'content-type': 'application/json' },
    },
  ],
  text: ({ file_id }) => [`/v1/files/${file_id}/text`],
  download: ({ file_id }) => [`/v1/files/${file_id}/download`],
  versions: ({ file_id }) => [`/v1/files/${file_id}/versions`],
  version: ({ file_id, file_version_id }) => [`/v1/files/${file_id}/versions/${file_version_id}`],
  'a new link': ({ file_id }) => [
    `/v1/files/${file_id}/download-links`,
    { method: 'POST', body: '{}', headers: idempotent() },
  ],
  upload: ({ upload_id }) => [`/v1/uploads/${upload_id}`],
  'new addresses of parts': ({ upload_id }) => [
    `/v1/uploads/${upload_id}/part-urls`,
    { method: 'POST', body: '{"part_numbers":[1]}', headers: { 'content-type': 'application/json' } },
  ],
  'content of the upload': ({ upload_id }) => [
    `/v1/uploads/${upload_id}/content`,
    { method: 'POST', body: JSON.stringify({ content: content.toString('base64') }), headers: idempotent() },
  ],
  complete: ({ upload_id }) => [
    `/v1/uploads/${upload_id}/complete`,
    { method: 'POST', body: '{}', headers: idempotent() },
  ],
  abort: ({ upload_id }) => [
    `/v1/uploads/${upload_id}/abort`,
    { method: 'POST', body: '{}', headers: idempotent() },
  ],
}

/** The statuses of all ways, for a credential. */
async function statuses(held: Held, credential: Record<string, string>): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, way] of Object.entries(ways)) {
    const [path, init = {}] = way(held)
    const headers = { ...credential, 'svc-workspace-id': world.workspace_id, ...(init.headers as object) }
    const { status, text } = await world.service.request(path, { ...init, headers })
    found[name] = status
    assert.ok(!text.includes('4,200,000') || status < 300)
  }
  found['the link'] = (await fetch(held.link)).status
  found['the address of a part'] = (await put(held.part, content)).status
  return found
}

/** A person whom the service knows, and who is no member. */
async function guestCalled(name: string): Promise<Person> {
  const guest = world.service.person(name)
  await guest.client.createWorkspace({ name: 'Their own' })
  return guest
}

const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` })

/** Asserts that none of the ways is open, and that nothing was changed by trying. */
async function assertAllClosed(
  held: Held,
  credential: Record<string, string>,
  expected: readonly number[],
): Promise<void> {
  const found = await statuses(held, credential)
  const open = Object.entries(found).filter(([name, status]) =>
    name === 'the link'
      ? status !== 410
      : name === 'the address of a part'
        ? ![403, 404].includes(status)
        : !expected.includes(status),
  )
  assert.deepEqual(open, [])
  assert.equal((await us().getUpload({ upload_id: held.upload_id })).upload.status, 'open')
}

describe('nothing of a File is open any more', () => {
  it('to a guest whose participation has expired', async () => {
    const room_id = await world.room()
    const guest = await guestCalled('Greta')
    const participant_id = await world.invite(room_id, guest, 'edit')
    const held = await heldBy(world.as(guest), room_id)
    await world.service.sql(
      `update room_participants set expires_at = now() - interval '1 second' where id = $1`,
      [participant_id],
    )
    await assertAllClosed(held, bearer(guest), [403])
  })

  it('to a guest who was removed from the Room, and is still in another one', async () => {
    const room_id = await world.room()
    const guest = await guestCalled('Gustav')
    const participant_id = await world.invite(room_id, guest, 'edit')
    await world.invite(await world.room('Another'), guest, 'edit')
    const held = await heldBy(world.as(guest), room_id)
    await us().revokeParticipant({ room_id, participant_id })
    await assertAllClosed(held, bearer(guest), [404])
  })

  it('to a member who was removed and has come back', async () => {
    const room_id = await world.room()
    const admin = world.service.person('Ada')
    const membership_id = await world.service.join(world.workspace_id, admin, 'member')
    const participant = await world.invite(room_id, admin, 'edit')
    await world.service.sql(
      'update room_participants set membership_id = $2, as_guest = false where id = $1',
      [participant, membership_id],
    )
    const held = await heldBy(world.as(admin), room_id)
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    await world.service.join(world.workspace_id, admin, 'member')
    await assertAllClosed(held, bearer(admin), [404])
  })

  it('of their own to a member who was removed and has come back', async () => {
    const ada = world.service.person('Ada')
    const membership_id = await world.service.join(world.workspace_id, ada, 'member')
    const { file } = await world.as(ada).createTextFile({ name: 'Mine.md', content: 'Mine' })
    const { url } = await world.as(ada).createDownloadLink({ file_id: file.file_id })
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    await world.service.join(world.workspace_id, ada, 'member')
    const headers = { ...bearer(ada), 'svc-workspace-id': world.workspace_id }
    assert.equal((await world.service.request(`/v1/files/${file.file_id}`, { headers })).status, 404)
    assert.equal((await world.service.request(`/v1/files/${file.file_id}/download`, { headers })).status, 404)
    assert.equal((await fetch(url ?? '')).status, 410)
  })

  it('to an API key that was revoked', async () => {
    const room_id = await world.room()
    const { key_id, secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'files:read',
      'files:write',
      'files:download',
    ])
    const client = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const held = await heldBy(client, room_id)
    await world.as(world.people.owner).revokeApiKey({ key_id })
    await assertAllClosed(held, { 'x-svc-api-key': secret }, [401])
  })

  it('to an API key with other scopes, by the scope of each way', async () => {
    const held = await heldBy(us(), await world.room())
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, ['rooms:read'])
    for (const [name, way] of Object.entries(ways)) {
      const [path, init = {}] = way(held)
      const headers = {
        'x-svc-api-key': secret,
        'svc-workspace-id': world.workspace_id,
        ...(init.headers as object),
      }
      assert.equal((await world.service.request(path, { ...init, headers })).status, 403, name)
    }
  })

  it('by a link of an API key, once it is open only by a permission that the key does not have', async () => {
    const { service, workspace_id, people } = world
    const business_id = await addBusiness(service, { name: 'Harbor Bakery' })
    await service.link(workspace_id, business_id, people.owner, 'edit')
    const room_id = await world.room()
    await world.invite(room_id, people.owner, 'edit')
    const { file, room_file } = await world
      .as(people.owner)
      .createTextFile({ name: 'Lease.md', content: 'A lease', room_id, business_id })
    const { file_id } = file
    const { secret } = await service.apiKey(workspace_id, people.member, ['files:read', 'files:download'])
    const key = service.client({ api_key: secret, workspace_id })
    const links = await Promise.all([key, us()].map(client => client.createDownloadLink({ file_id })))
    await us().archiveRoomFile({ room_file_id: room_file?.room_file_id ?? '', expected_revision: 1 })
    const opened = await Promise.all(links.map(({ url }) => fetch(url ?? '')))
    assert.deepEqual(
      opened.map(({ status }) => status),
      [410, 200],
    )
  })
})

describe('a part that is arriving when the right to send it ends', () => {
  /** Sends half of a part, does something, and then sends the rest. */
  async function putInHalves(url: string, bytes: Buffer, meanwhile: () => Promise<unknown>): Promise<number> {
    const sending = request(url, { method: 'PUT', headers: { 'content-length': bytes.length } })
    const status = new Promise<number>((resolve, reject) =>
      sending.on('response', response => resolve(response.resume().statusCode ?? 0)).on('error', reject),
    )
    sending.write(bytes.subarray(0, 5))
    await sleep(300)
    await meanwhile()
    sending.end(bytes.subarray(5))
    return status
  }

  it('is not stored', async () => {
    const room_id = await world.room()
    const guest = await guestCalled('Gerda')
    const participant_id = await world.invite(room_id, guest, 'edit')
    const { upload, file } = await world.begin(content, { room_id }, world.as(guest))
    const { upload_id } = upload
    const { parts } = await world.as(guest).createPartUrls({ upload_id, part_numbers: [1] })
    const url = parts[0]?.url ?? ''
    assert.equal(
      await putInHalves(url, content, () => us().revokeParticipant({ room_id, participant_id })),
      403,
    )
    const { received_parts } = (await us().getUpload({ upload_id })).upload
    assert.deepEqual([received_parts, file.name], [[], 'Notes.txt'])
  })

  it('is stored if the right has not ended', async () => {
    const { upload } = await world.begin(content)
    const { upload_id } = upload
    const { parts } = await us().createPartUrls({ upload_id, part_numbers: [1] })
    assert.equal(await putInHalves(parts[0]?.url ?? '', content, () => Promise.resolve()), 200)
    const { new_version } = await us().completeUpload({ upload_id })
    assert.equal(new_version.sha256, sha256Of(content))
  })

  it('is refused before it is read if the File was archived', async () => {
    const { upload, file } = await world.begin(content)
    const { upload_id } = upload
    const { parts } = await us().createPartUrls({ upload_id, part_numbers: [1] })
    await us().archiveFile({ file_id: file.file_id, expected_revision: 1 })
    assert.equal((await put(parts[0]?.url ?? '', content)).status, 409)
  })
})

describe('an invitation that excludes downloading', () => {
  async function inRoom(can_download: boolean, guest: Person): Promise<string> {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, guest, 'view')
    await world.service.sql('update room_participants set can_download = $2 where id = $1', [
      participant_id,
      can_download,
    ])
    return room_id
  }
  const openTo = async (guest: Person, file_id: string) => {
    const headers = { ...bearer(guest), 'svc-workspace-id': world.workspace_id }
    const ask = async (path: string, body?: object) => {
      const init = body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...headers, ...idempotent() },
      }
      return (await world.service.request(`/v1/files/${file_id}/${path}`, init ?? { headers })).status
    }
    return [
      await ask('content', {}),
      await ask('text'),
      await ask('download'),
      await ask('download-links', {}),
    ]
  }

  it('leaves text to be read, and closes downloads, links and content that is not text', async () => {
    const guest = await guestCalled('Gero')
    const room_id = await inRoom(false, guest)
    const { file } = await us().createTextFile({ name: 'A.md', content: 'Text', room_id })
    assert.deepEqual(await openTo(guest, file.file_id), [200, 200, 403, 403])
    world.inspection.next = () =>
      Promise.resolve({
        error: null,
        content_type: 'application/pdf',
        is_text: false,
        text: { status: 'ready', pages: ['Page'] },
        summary: null,
      })
    const begun = await world.upload(Buffer.from('%PDF'), {
      room_id,
      content_type: 'application/pdf',
      name: 'A.pdf',
    })
    await world.processed(begun)
    assert.deepEqual(await openTo(guest, begun.file.file_id), [403, 200, 403, 403])
  })

  it('does not count in another Room that has the File and allows it', async () => {
    const guest = await guestCalled('Gesine')
    const [closed, open] = [await inRoom(false, guest), await inRoom(true, guest)]
    const { file } = await us().createTextFile({ name: 'A.md', content: 'Text', room_id: closed })
    const { file_id } = file
    assert.deepEqual(await openTo(guest, file_id), [200, 200, 403, 403])
    const { room_file } = await us().attachRoomFile({ room_id: open, file_id })
    assert.deepEqual(await openTo(guest, file_id), [200, 200, 200, 201])
    const { url } = await world.as(guest).createDownloadLink({ file_id })
    await us().archiveRoomFile({ room_file_id: room_file.room_file_id, expected_revision: 1 })
    assert.deepEqual(await openTo(guest, file_id), [200, 200, 403, 403])
    assert.equal((await fetch(url ?? '')).status, 403)
  })
})
