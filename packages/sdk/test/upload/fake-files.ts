import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { problems, type ProblemCode } from '@wbs/contract/problems'

/** What the service does with a part before it takes it. */
export type PartReaction = 'take' | 'expired' | 'hang_up' | 'unavailable' | 'store_busy' | 'wait'

interface StoredUpload {
  upload_id: string
  file_id: string
  file_version_id: string
  status: string
  size_bytes: number
  part_size_bytes: number
  part_count: number
  received_parts: { part_number: number; size_bytes: number; etag: string }[]
  expires_at: string
}

/** The part of the service that takes files, as far as an upload speaks with it, on a real socket. Parts are on disk. */
export interface FakeFiles {
  base_url: string
  /** The operations and parts that were requested, such as `create`, `part 3`. */
  seen: string[]
  bodies: Record<string, unknown>[]
  uploads: Map<string, StoredUpload>
  versions: Map<string, Record<string, unknown>>
  roomFiles: Record<string, unknown>[]
  /** The most parts that arrived at the same time. */
  mostAtOnce: number
  react: (part_number: number, time: number) => PartReaction
  /** How many reads of a version find it in processing. */
  processing: number
  /** With what processing ends; null for ready. */
  processing_error: string | null
  /** Changes a stored part before the whole is read. */
  corrupt: boolean
  /** Keeps no content, and believes the SHA-256. */
  forgetful: boolean
  close(): Promise<void>
}

export const partSize = 64 * 1024

export async function startFakeFiles(part_size_bytes = partSize): Promise<FakeFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-fake-files-'))
  const keys = new Map<string, object>()
  const times = new Map<string, number>()
  let atOnce = 0
  let signed = 0
  const expired = new Set<string>()

  const fake: FakeFiles = {
    base_url: '',
    seen: [],
    bodies: [],
    uploads: new Map(),
    versions: new Map(),
    roomFiles: [],
    mostAtOnce: 0,
    react: () => 'take',
    processing: 0,
    processing_error: null,
    corrupt: false,
    forgetful: false,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    if (request.method === 'PUT') return takePart(request, response, pathname, searchParams)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    const key = request.headers['idempotency-key']
    const known = typeof key === 'string' ? keys.get(key) : undefined
    const result = known ? { ...known, idempotent_replay: true } : await operate(pathname, searchParams, body)
    if (typeof key === 'string' && !('code' in result)) keys.set(key, result)
    send(response, result)
  }

  function send(response: ServerResponse, result: object): void {
    const { status = 200 } = result as { status?: number }
    const type = 'code' in result ? 'application/problem+json' : 'application/json'
    response.writeHead(status, { 'content-type': type })
    response.end(JSON.stringify({ idempotent_replay: false, ...result }))
  }

  async function operate(
    path: string,
    query: URLSearchParams,
    body: Record<string, unknown>,
  ): Promise<object> {
    const [, , noun = '', id = '', verb = '', third = ''] = path.split('/')
    const note = (what: string) => {
      fake.seen.push(what)
      fake.bodies.push(body)
    }
    if (noun === 'files' && verb === 'versions' && third !== '') return { data: readVersion(third) }
    if (noun === 'files' && id === 'text') {
      note('text')
      return { ...created(body), new_version: { processing_status: 'ready', sha256: null } }
    }
    if (noun === 'files' && (id === '' || verb === 'versions')) {
      note(id === '' ? 'create' : 'add version')
      return created(body, id || undefined)
    }
    if (noun === 'files') return { file: { file_id: id } }
    if (noun === 'uploads' && id === '') return listed([...fake.uploads.values()].filter(matches(query)))
    const upload = fake.uploads.get(id)
    if (noun === 'uploads' && upload && verb === 'part-urls') {
      note('part urls')
      return { parts: (body.part_numbers as number[]).map(part_number => partUrl(upload, part_number)) }
    }
    if (noun === 'uploads' && upload && verb === 'complete') {
      note('complete')
      return complete(upload, body)
    }
    if (noun === 'uploads' && upload) return { upload }
    if (noun === 'rooms') return listed(fake.roomFiles)
    if (noun === 'room-files') return { room_file: { room_file_id: id, status: 'active' } }
    return problem('not_found')
  }

  function created(body: Record<string, unknown>, known?: string): object {
    const n = fake.versions.size + 1
    const file_id = known ?? `fil_${n}`
    const size_bytes = Number(body.size_bytes ?? 0)
    const version: Record<string, unknown> & { file_version_id: string } = {
      file_version_id: `fvr_${n}`,
      processing_status: 'pending_upload',
      processing_error: null,
      sha256: body.sha256 ?? null,
    }
    fake.versions.set(version.file_version_id, version)
    const upload: StoredUpload = {
      upload_id: `upl_${n}`,
      file_id,
      file_version_id: version.file_version_id,
      status: 'open',
      size_bytes,
      part_size_bytes,
      part_count: Math.ceil(size_bytes / part_size_bytes),
      received_parts: [],
      expires_at: '2099-01-01T00:00:00Z',
    }
    fake.uploads.set(upload.upload_id, upload)
    const file = { file_id, name: body.name, current_version: version }
    const room_file = body.room_id !== undefined && {
      room_file_id: `rfl_${n}`,
      file,
      index_path: body.index_path ?? body.name,
    }
    if (room_file) fake.roomFiles.push(room_file)
    // A copy: a replay shows it as it was.
    return structuredClone({
      status: 201,
      file,
      new_version: version,
      upload,
      ...(room_file && { room_file }),
    })
  }

  const partUrl = (upload: StoredUpload, part_number: number) => ({
    part_number,
    method: 'PUT',
    url: `${fake.base_url}/parts/${upload.upload_id}/${part_number}?signature=${++signed}`,
    headers: { 'x-part': String(part_number) },
    size_bytes: Math.min(part_size_bytes, upload.size_bytes - (part_number - 1) * part_size_bytes),
    expires_at: '2099-01-01T00:00:00Z',
  })

  async function takePart(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<void> {
    const [, , upload_id = '', number = ''] = path.split('/')
    const upload = fake.uploads.get(upload_id) as StoredUpload
    const part_number = Number(number)
    fake.seen.push(`part ${number}`)
    const time = (times.get(path) ?? 0) + 1
    times.set(path, time)
    const signature = query.get('signature') ?? ''
    const reaction = expired.has(signature) ? 'expired' : fake.react(part_number, time)
    if (reaction === 'wait') return
    if (reaction === 'hang_up') return void request.once('data', () => response.destroy())
    if (reaction === 'expired') expired.add(signature)
    const refused = { expired: 403, unavailable: 503, store_busy: 500, take: 0 }[reaction]
    if (refused > 0) {
      request.resume()
      if (reaction === 'unavailable') return send(response, problem('unavailable'))
      return void response.writeHead(refused, { 'content-type': 'application/xml' }).end('<Error/>')
    }
    const { authorization, 'x-part': header, 'content-length': length } = request.headers
    if (authorization !== undefined || header !== number || length === undefined)
      return void response.writeHead(400).end()
    fake.mostAtOnce = Math.max(fake.mostAtOnce, ++atOnce)
    const draft = join(folder, `${upload_id}-${number}-${signature}`)
    await pipeline(request, createWriteStream(fake.forgetful ? '/dev/null' : draft)).finally(() => atOnce--)
    if (!fake.forgetful) await rename(draft, join(folder, `${upload_id}-${number}`))
    const part = { part_number, size_bytes: Number(length), etag: `"${signature}"` }
    upload.received_parts = [
      ...upload.received_parts.filter(one => one.part_number !== part_number),
      part,
    ].sort((a, b) => a.part_number - b.part_number)
    response.writeHead(200, { etag: part.etag }).end()
  }

  async function complete(upload: StoredUpload, body: Record<string, unknown>): Promise<object> {
    if (upload.received_parts.length !== upload.part_count) return problem('state_conflict')
    const hash = createHash('sha256')
    for (const { part_number } of fake.forgetful ? [] : upload.received_parts)
      for await (const chunk of createReadStream(join(folder, `${upload.upload_id}-${part_number}`)))
        hash.update(chunk as Buffer)
    if (fake.corrupt) hash.update('x')
    const version = fake.versions.get(upload.file_version_id) as Record<string, unknown>
    const sha256 = fake.forgetful ? body.sha256 : hash.digest('hex')
    const isRight = sha256 === (body.sha256 ?? version.sha256 ?? sha256)
    upload.status = 'completed'
    Object.assign(version, {
      sha256,
      processing_status: isRight ? 'processing' : 'failed',
      processing_error: isRight ? null : 'checksum_mismatch',
    })
    return { file: { file_id: upload.file_id }, new_version: version, upload }
  }

  function readVersion(id: string): object | undefined {
    const version = fake.versions.get(id)
    if (version?.processing_status === 'processing' && fake.processing-- <= 0)
      Object.assign(version, {
        processing_status: fake.processing_error === null ? 'ready' : 'failed',
        processing_error: fake.processing_error,
      })
    return version
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  fake.base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}

const listed = (data: unknown[]) => ({ data, page: { cursor: null, has_more: false } })

const matches = (query: URLSearchParams) => (upload: StoredUpload) =>
  upload.status === (query.get('status') ?? upload.status) &&
  upload.file_id === (query.get('file_id') ?? upload.file_id)

const problem = (code: ProblemCode) => ({ ...problems[code], code, detail: problems[code].title })
