import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { chromium, type Browser } from 'playwright-core'
import { createClient, type Client } from '@wbs/sdk'
import { sampleDataFolder, type DataFolder } from '../../server/test/harness/process.ts'
import { serveModules } from './served-modules.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`

/** What a page saw of an answer. */
interface Seen {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

describe('a page of another origin', { skip }, () => {
  let data: DataFolder
  /** One whose origin the setting names, and one whose origin it does not name. */
  let app: Server
  let other: Server
  let browser: Browser
  let service: { base_url: string; token: string; workspace_id: string }
  let client: Client
  let room_id: string

  before(async () => {
    ;[app, other] = [serveModules(), serveModules()]
    for (const server of [app, other])
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    data = await sampleDataFolder()
    const started = await data.start({ SVC_ALLOWED_ORIGINS: `https://app.example.com,${originOf(app)}` })
    const { base_url, workspace_id, users } = await started.quickstart()
    service = { base_url, workspace_id, token: users.owner?.access_token ?? '' }
    client = createClient({ base_url, workspace_id, access_token: service.token })
    room_id = (await client.createRoom({ title: 'Data room' })).room.room_id
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  })
  after(async () => {
    await browser?.close()
    for (const server of [app, other]) {
      server.closeAllConnections()
      server.close()
    }
    await data?.remove()
  })

  /**
   * Runs code in a page, with `service`, `room_id`, and `see(path, init)`, which fetches from the service as the owner.
   */
  async function inPage(server: Server, code: string): Promise<unknown> {
    const page = await browser.newPage()
    try {
      await page.goto(originOf(server))
      return await page.evaluate(`(async () => {
        const service = ${JSON.stringify(service)}
        const room_id = ${JSON.stringify(room_id)}
        const get = (path, { headers, ...init } = {}) => fetch(service.base_url + path, {
          ...init,
          headers: { authorization: 'Bearer ' + service.token, 'svc-workspace-id': service.workspace_id, ...headers },
        })
        const see = async (path, init) => {
          const answer = await get(path, init)
          const text = await answer.text()
          return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text && JSON.parse(text) }
        }
        ${code}
      })()`)
    } finally {
      await page.close()
    }
  }

  it('reads with a token, and sees the headers', async () => {
    const seen = (await inPage(app, 'return see("/v1/rooms/" + room_id)')) as Seen
    assert.equal(seen.status, 200)
    assert.equal((seen.body['room'] as { room_id: string }).room_id, room_id)
    assert.equal(seen.headers['svc-request-id'], seen.body['request_id'])
    assert.match(seen.headers['etag'] ?? '', /^"/)
    for (const name of ['svc-api-version', 'ratelimit', 'ratelimit-policy'])
      assert.ok(seen.headers[name], name)
  })

  it('asks with the entity tag that it knows, and is told that nothing has changed', async () => {
    const code = `const { headers } = await see('/v1/rooms/' + room_id)
      return (await get('/v1/rooms/' + room_id, { headers: { 'if-none-match': headers.etag }, cache: 'no-store' })).status`
    assert.equal(await inPage(app, code), 304)
  })

  it('changes something with an Idempotency-Key, once', async () => {
    const code = `const change = () => see('/v1/rooms', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'from-another-origin' },
        body: JSON.stringify({ title: 'From another origin' }),
      })
      return [await change(), await change()]`
    const [first, again] = (await inPage(app, code)) as [Seen, Seen]
    assert.deepEqual([first.status, again.status], [201, 201])
    assert.deepEqual(again.body['room'], first.body['room'])
    assert.equal(first.headers['idempotent-replayed'], undefined)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })

  it('reads problems and what they say to do', async () => {
    const refused = (await inPage(
      app,
      `return see('/v1/rooms', { method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': 'k' }, body: '{}' })`,
    )) as Seen
    assert.deepEqual([refused.status, refused.body['code']], [400, 'validation_error'])
    const unknown = (await inPage(
      app,
      `return see('/v1/rooms', { headers: { authorization: 'Bearer not-a-token' } })`,
    )) as Seen
    assert.deepEqual([unknown.status, unknown.body['code']], [401, 'unauthenticated'])
    assert.match(unknown.headers['www-authenticate'] ?? '', /^Bearer realm="svc"/)
  })

  it('follows the stream of events, and continues it with Last-Event-ID', async () => {
    const code = `async function first(headers) {
        const { body } = await get('/v1/events/stream?room_id=' + room_id + '&types=room.updated', { headers })
        const reader = body.pipeThrough(new TextDecoderStream()).getReader()
        let text = ''
        let asked = false
        for (;;) {
          const { value, done } = await reader.read()
          if (done) throw new Error('The stream ended: ' + text)
          text += value
          const found = /id: (\\S+)\\ndata: (.*)\\n/.exec(text)
          if (found) return reader.cancel().then(() => ({ id: found[1], event: JSON.parse(found[2]) }))
          if (!asked && !headers) {
            asked = true
            await rename('First')
          }
        }
      }
      async function rename(title) {
        const { body } = await see('/v1/rooms/' + room_id)
        const answer = await see('/v1/rooms/' + room_id, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'rename-' + title },
          body: JSON.stringify({ title, expected_revision: body.room.revision }),
        })
        if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      }
      const one = await first()
      await rename('Second')
      return [one, await first({ 'last-event-id': one.id })]`
    const [one, two] = (await inPage(app, code)) as { event: { id: string; type: string } }[]
    assert.deepEqual([one?.event.type, two?.event.type], ['room.updated', 'room.updated'])
    const { data } = await client.listEvents({ room_id, types: ['room.updated'] } as never)
    assert.deepEqual(data.map(({ id }) => id).slice(0, 2), [two?.event.id, one?.event.id])
  })

  it('waits for events by long polls', async () => {
    const code = `const { body } = await see('/v1/events/changes?room_id=' + room_id)
      return see('/v1/events/changes?wait_seconds=1&room_id=' + room_id + '&cursor=' + encodeURIComponent(body.cursor))`
    const seen = (await inPage(app, code)) as Seen
    assert.equal(seen.status, 200, JSON.stringify(seen))
  })

  it('uploads a File in parts with the SDK, and reads a range of it', async () => {
    const size = 9 * 1024 * 1024
    const code = `const { createClient, uploadFile } = await import('@wbs/sdk')
      const client = createClient({
        base_url: service.base_url, access_token: service.token, workspace_id: service.workspace_id,
      })
      const content = new Uint8Array(${size}).fill(7)
      content[${size - 1}] = 9
      const { file, version } = await uploadFile(client, new File([content], 'plan.bin'), { room_id })
      const range = await client.downloadFile({ file_id: file.file_id }, { range: { start: ${size - 2} } })
      const { url } = await client.createDownloadLink({ file_id: file.file_id })
      const linked = await fetch(url)
      return {
        sha256: version.sha256,
        end: [...new Uint8Array(await range.arrayBuffer())],
        headers: ['content-range', 'content-disposition', 'repr-digest', 'etag'].map(name => range.headers.get(name)),
        linked: (await linked.arrayBuffer()).byteLength,
      }`
    const seen = (await inPage(app, code)) as Record<string, unknown> & { headers: string[] }
    const content = new Uint8Array(size).fill(7)
    content[size - 1] = 9
    assert.equal(seen['sha256'], createHash('sha256').update(content).digest('hex'))
    assert.deepEqual(seen['end'], [7, 9])
    assert.equal(seen.headers[0], `bytes ${size - 2}-${size - 1}/${size}`)
    assert.ok(seen.headers.every(value => value !== null))
    assert.equal(seen['linked'], size)
  })

  it('learns nothing if its origin is not allowed, and changes nothing', async () => {
    const code = `const outcome = promise => promise.then(({ status, body }) => [status, body], error => error.name)
      return Promise.all([
        outcome(see('/v1/rooms/' + room_id)),
        outcome(see('/v1/rooms', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'not-allowed' },
          body: JSON.stringify({ title: 'Not allowed' }),
        })),
        outcome(get('/v1/events/stream')),
        outcome(fetch(service.base_url + '/health')),
        outcome(fetch(service.base_url + '/openapi.json')),
        outcome(fetch(service.base_url + '/v1/nothing')),
      ])`
    assert.deepEqual(await inPage(other, code), Array(6).fill('TypeError'))
    const { data } = await client.listRooms()
    assert.ok(data.every(({ title }) => title !== 'Not allowed'))
  })
})

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
