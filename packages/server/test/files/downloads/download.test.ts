import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'
import { textFile } from '../fresh-file.ts'

let world: RoomWorld
let time = Date.now()
before(async () => void (world = await makeRoomWorld({ now: () => new Date(time) })))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const member = () => client('member')
const linkTo = async (file_id: string, name: keyof RoomWorld['people'] = 'member') =>
  String((await client(name).createDownloadLink({ file_id })).url)
const isGone = async (url: string) => {
  const response = await fetch(url)
  const body = (await response.json()) as { code: string }
  assert.deepEqual([response.status, body.code], [410, 'gone'])
}

describe('GET /v1/files/{file_id}/download', () => {
  it('sends the content with headers that make it safe to store and to open', async () => {
    const content = '<script>alert(1)</script>, 😀'
    const { file_id } = await textFile(member(), { name: 'Ärger "1".md', content })
    const response = await member().downloadFile({ file_id })
    const sha256 = createHash('sha256').update(content)
    const header = (name: string) => response.headers.get(name)
    assert.equal(response.status, 200)
    assert.equal(await response.text(), content)
    assert.equal(header('etag'), `"${sha256.copy().digest('hex')}"`)
    assert.equal(header('repr-digest'), `sha-256=:${sha256.digest('base64')}:`)
    assert.match(
      String(header('content-disposition')),
      /^attachment; filename=".+"; filename\*=UTF-8''%C3%84rger/,
    )
    assert.equal(header('x-content-type-options'), 'nosniff')
    assert.match(String(header('content-security-policy')), /default-src 'none'.*sandbox/)
    assert.equal(header('content-length'), String(Buffer.byteLength(content)))
  })

  it('sends ranges, and nothing to a client that has it already', async () => {
    const { file_id } = await textFile(member(), { content: '0123456789' })
    const part = await member().downloadFile({ file_id }, { range: { start: 2, end: 5 } })
    assert.deepEqual(
      [part.status, part.headers.get('content-range'), await part.text()],
      [206, 'bytes 2-4/10', '234'],
    )
    const etag = String(part.headers.get('etag'))
    const again = await world.service.request(`/v1/files/${file_id}/download`, {
      token: world.people.member.token,
      headers: { 'svc-workspace-id': world.workspace_id, 'if-none-match': etag },
    })
    assert.deepEqual([again.status, again.text], [304, ''])
  })

  it('sends a named version, and refuses those without access or without files:download', async () => {
    const file = await textFile(member(), { content: 'the first' })
    const { file_version_id } = file.current_version
    const { file_id } = file
    assert.equal(await (await member().downloadFile({ file_id, file_version_id })).text(), 'the first')
    await refused(client('admin').downloadFile({ file_id }), 'not_found')
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, ['files:read'])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    await refused(key.downloadFile({ file_id }), 'forbidden')
    assert.equal((await key.getFile({ file_id })).file.file_id, file_id)
  })
})

describe('POST /v1/files/{file_id}/download-links', () => {
  it('makes a link that works once, without a credential', async () => {
    const { file_id } = await textFile(member(), { content: 'for one download' })
    const url = await linkTo(file_id)
    const head = await fetch(url, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '16'])
    assert.equal(await (await fetch(url)).text(), 'for one download')
    await isGone(url)
  })

  it('lets only one of many simultaneous requests download', async () => {
    const url = await linkTo((await textFile(member())).file_id)
    const responses = await Promise.all(Array.from({ length: 8 }, () => fetch(url)))
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, 410, 410, 410, 410, 410, 410, 410])
    await Promise.all(responses.map(response => response.text()))
  })

  it('does not repeat the link in a replay', async () => {
    const { file_id } = await textFile(member())
    const options = { idempotency_key: 'a-link-to-download' }
    const first = await member().createDownloadLink({ file_id, ttl_seconds: 10 }, options)
    const again = await member().createDownloadLink({ file_id, ttl_seconds: 10 }, options)
    assert.deepEqual([again.url, again.expires_at, again.idempotent_replay], [null, first.expires_at, true])
    assert.equal(Date.parse(first.expires_at) - Date.parse(first.action_receipt.occurred_at), 10_000)
    await refused(member().createDownloadLink({ file_id, ttl_seconds: 301 }), 'validation_error')
  })

  it('expires', async () => {
    const url = await linkTo((await textFile(member())).file_id)
    time += 301_000
    await isGone(url)
  })

  it('ends with the access of whoever asked for it', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const { file_id } = await textFile(member(), { room_id })
    const url = await linkTo(file_id, 'guest')
    await world.service.sql(
      `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2`,
      [room_id, world.people.guest.user_id],
    )
    await isGone(url)
    const { key_id, secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'files:read',
      'files:download',
    ])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const byKey = String((await key.createDownloadLink({ file_id })).url)
    await world.service.sql('update api_keys set revoked_at = now() where id = $1', [key_id])
    await isGone(byKey)
  })

  it('cannot be forged or altered', async () => {
    const url = await linkTo((await textFile(member())).file_id)
    const [text = '', hash = ''] = url.slice(url.lastIndexOf('/') + 1).split('.')
    const link = JSON.parse(Buffer.from(text, 'base64url').toString()) as object
    for (const change of [
      { expires_at: time + 3_600_000 },
      { file_id: 'fil_01JD0000000000000000000000' },
      { user_id: world.people.owner.user_id },
      { workspace_id: crypto.randomUUID() },
      { link_id: crypto.randomUUID() },
    ]) {
      const altered = Buffer.from(JSON.stringify({ ...link, ...change })).toString('base64url')
      const { status } = await fetch(url.replace(text, altered))
      assert.equal(status, 404)
    }
    assert.equal((await fetch(url.replace(hash, hash.toLowerCase()))).status, 404)
    assert.equal((await fetch(`${world.service.base_url}/v1/downloads/nothing`)).status, 404)
    assert.equal((await fetch(url)).status, 200)
  })
})
