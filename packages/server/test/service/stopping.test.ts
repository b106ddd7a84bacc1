import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { createClient, type Client } from '@wbs/sdk'
import { usedDataFolder, type ServiceProcess } from '../harness/process.ts'
import { eventually } from '../harness/eventually.ts'
import { startMailServer } from '../mail/mail-server.ts'
import { json, startLocalApp } from '../plugins/http-json/local-app.ts'
import { bakery } from '../valuations/valuation-document.ts'

/** A scanner of malware that gives no verdict until it is told to; then it finds nothing. */
async function startScanner(t: TestContext) {
  const waiting = new Set<Socket>()
  let scans = 0
  let isQuiet = true
  const server = createServer(socket => {
    scans++
    socket.on('error', () => undefined).on('data', () => undefined)
    if (isQuiet) waiting.add(socket)
    else socket.end('stream: OK\0')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const socket of waiting) socket.destroy()
    server.close()
  })
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    scans: () => scans,
    answers: () => void (isQuiet = false),
  }
}

const isDown = async ({ base_url }: ServiceProcess) => {
  const answer = await fetch(`${base_url}/health`).catch(() => null)
  return answer === null
}

/** Sends half of a part, and the rest when it is told to. */
function beginPart(url: string, content: Buffer) {
  const part = request(url, { method: 'PUT', headers: { 'content-length': content.length } })
  const answered = once(part, 'response').then(
    ([response]) => (response as { statusCode: number }).statusCode,
  )
  answered.catch(() => undefined)
  part.write(content.subarray(0, content.length / 2))
  return { answered, finish: () => part.end(content.subarray(content.length / 2)) }
}

describe('a node that gets SIGTERM in the middle of its work', () => {
  it('ends or gives back all of it: what runs is recorded once, and the next start goes on with the rest', async t => {
    const folder = await usedDataFolder(t)
    const [app, mail, scanner] = await Promise.all([startLocalApp(), startMailServer(), startScanner(t)])
    t.after(() => Promise.all([app.close(), mail.stop()]))
    const env = {
      SVC_SAMPLE_DATA: 'off',
      SVC_CONNECTION_HOSTS: `localhost:${app.port}`,
      SVC_CONNECTION_ALLOW_PRIVATE: 'on',
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'no-reply@harbor.example',
      CLAMD_ADDRESS: scanner.address,
      RATE_LIMIT_SCALE: '0',
      LOG_LEVEL: 'info',
    }
    const first = await folder.start(env)
    const client = await ownerOf(first)
    const { room } = await client.createRoom({ title: 'Sale of the mill' })
    const { room_id } = room
    const shared = await client.shareConnection({
      room_id,
      kind: 'source',
      plugin: 'http_json',
      label: 'Orders',
      config: { base_url: `http://localhost:${app.port}/` },
      allowed_operations: ['get', 'post'],
    })
    const action = { room_id, connection_id: shared.data.connection_id }
    const { data: asked } = await client.requestApproval({
      ...action,
      operation: 'post',
      arguments: { path: '/orders', body: { count: 1 } },
    })
    const { cursor } = await client.listEventChanges({ limit: 100 })
    const { approval_id, arguments_sha256 } = asked

    // Each of these is under way when the node is told to stop.
    const release = Promise.withResolvers<void>()
    mail.hold = release.promise
    app.answers(response => void release.promise.then(() => json(response, { done: true })))
    const stream = await fetch(`${first.base_url}/v1/events/stream`, { headers: await headersOf(first) })
    const read = stream.text()
    await client.createTeamInvitation({ email: 'pat@example.com', role: 'member' })
    const version = await uploaded(client, Buffer.from('Notes of a meeting'))
    const content = Buffer.alloc(200_000, 'x')
    const { upload } = await begunUpload(client, content)
    const { upload_id } = upload
    const { parts } = await client.createPartUrls({ upload_id, part_numbers: [1] })
    const part = beginPart(parts[0]?.url ?? '', content)
    // Last, because an app has to answer within a time.
    const sent = randomUUID()
    await client.approveApproval({ approval_id, arguments_sha256, expected_revision: 1 })
    const gone = new AbortController()
    const hasty = client
      .requestApproval(
        { ...action, operation: 'get', arguments: { path: `/orders/${sent}` } },
        { signal: gone.signal },
      )
      .catch(() => 'gone')
    await eventually(() => app.received.length === 2 && mail.connections > 0 && scanner.scans() > 0)
    // Its client has gone, so that no connection keeps the node alive for it.
    gone.abort()
    assert.equal(await hasty, 'gone')
    const latest = (await client.listEventChanges({ cursor, limit: 100 })).cursor
    const waiting = client.listEventChanges({ cursor: latest ?? '', wait_seconds: 20 })
    const valuing = client.createValuation(bakery({ run: true }))
    // Requests that were sent before these are there.
    for (let n = 0; n < 3; n++) await fetch(`${first.base_url}/health`)

    const ended = first.end('SIGTERM')
    await eventually(() => isDown(first))
    part.finish()
    assert.equal(await part.answered, 200)
    assert.equal((await valuing).data.status, 'completed')
    assert.deepEqual(
      (await waiting).data.filter(({ type }) => type === 'room.created'),
      [],
    )
    await read
    // Whatever does not wait for jobs, and for actions whose clients have gone, would be closed by then.
    await sleep(1000)
    release.resolve()
    assert.equal(await ended, 0)
    assert.doesNotMatch(first.output(), /"level":(50|60)|will be retried|connection was lost/)
    assert.match(first.output(), /"kind":"process_file_version".*a job was given back/)

    scanner.answers()
    const second = await folder.start(env)
    const again = await ownerOf(second)
    const ready = await eventually(async () => {
      const { data } = await again.getFileVersion(version)
      return data.processing_status === 'ready' && data
    })
    assert.equal(ready.processing_error ?? null, null)
    const { data: approvals } = await again.listApprovals({ room_id })
    assert.deepEqual(approvals.map(({ operation, status }) => `${operation} ${status}`).sort(), [
      'get executed',
      'post executed',
    ])
    assert.deepEqual(app.received.map(({ method }) => method).sort(), ['GET', 'POST'])
    assert.equal(mail.taken.length, 1)
    await again.completeUpload({ upload_id })
  })
})

async function headersOf(service: ServiceProcess): Promise<Record<string, string>> {
  const { users, workspace_id } = await service.quickstart()
  return {
    authorization: `Bearer ${users.owner?.access_token ?? ''}`,
    'svc-workspace-id': workspace_id,
    accept: 'text/event-stream',
  }
}

async function ownerOf(service: ServiceProcess): Promise<Client> {
  const { users, workspace_id } = await service.quickstart()
  const access_token = users.owner?.access_token ?? ''
  return createClient({ base_url: service.base_url, access_token, workspace_id, attempts: 1 })
}

const begunUpload = (client: Client, content: Buffer) =>
  client.createFileUpload({ name: 'Notes.txt', content_type: 'text/plain', size_bytes: content.length })

/** Uploads a File, whose content is not inspected yet. */
async function uploaded(client: Client, content: Buffer) {
  const { upload, file, new_version } = await begunUpload(client, content)
  const { upload_id } = upload
  await client.uploadContent({ upload_id, content: content.toString('base64') })
  await client.completeUpload({ upload_id })
  return { file_id: file.file_id, file_version_id: new_version.file_version_id }
}
