import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@wbs/sdk'
import type { Inspection, InspectionTurn, Inspector } from '../../../src/inspection/inspector.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'
import type { TestServiceOptions } from '../../harness/service.ts'

/** A Workspace of which Files are uploaded, with parts so small that a test can send many. */
export interface UploadWorld extends RoomWorld {
  /** Begins the upload of a File, by the member unless said otherwise. */
  begin(content: Buffer, more?: Partial<NewUpload>, client?: Client): Promise<Begun>
  /** Sends parts by their URLs, all of them unless numbers are given. */
  send(upload: Begun['upload'], content: Buffer, part_numbers?: number[], client?: Client): Promise<void>
  /** Begins, sends and completes. */
  upload(content: Buffer, more?: Partial<NewUpload>): Promise<Begun>
  /** Waits until a version is processed, and gives it. */
  processed(of: Pick<Begun, 'file' | 'new_version'>): Promise<Processed>
  /** What the next inspections find; a function may throw. By default everything is plain text. */
  inspection: { next: (name: string, turn: InspectionTurn) => Promise<Inspection> }
}

type NewUpload = Parameters<Client['createFileUpload']>[0]
type Begun = Awaited<ReturnType<Client['createFileUpload']>>
interface Processed {
  processing_status: string
  processing_error: string | null
}

const partBytes = 1000

export const plainText: Inspection = {
  error: null,
  content_type: 'text/plain',
  is_text: true,
  text: { status: 'ready', pages: ['page one', 'page two'] },
  summary: 'Text, 2 pages',
}

export async function makeUploadWorld(options: TestServiceOptions = {}): Promise<UploadWorld> {
  const inspection = { next: () => Promise.resolve(plainText) } as UploadWorld['inspection']
  const inspector: Inspector = {
    async inspect({ name, open }, turn = {}) {
      for await (const _ of await open());
      return inspection.next(name, turn)
    },
    close: () => Promise.resolve(),
  }
  const { uploads, ...others } = options
  const world = await makeRoomWorld({ inspector, uploads: { part_bytes: partBytes, ...uploads }, ...others })
  const member = world.as(world.people.member)

  const begin: UploadWorld['begin'] = (content, more = {}, client = member) =>
    client.createFileUpload({
      name: 'Notes.txt',
      content_type: 'text/plain',
      size_bytes: content.length,
      ...more,
    })

  const send: UploadWorld['send'] = async (
    upload,
    content,
    numbers = allNumbers(upload),
    client = member,
  ) => {
    const { upload_id } = upload
    const { parts } = await client.createPartUrls({ upload_id, part_numbers: numbers })
    const sent = await Promise.all(parts.map(part => put(part.url, partOf(content, part.part_number))))
    assert.deepEqual(
      sent.map(({ status }) => status),
      parts.map(() => 200),
    )
  }

  return {
    ...world,
    inspection,
    begin,
    send,
    async upload(content, more) {
      const begun = await begin(content, more)
      await send(begun.upload, content)
      await member.completeUpload({ upload_id: begun.upload.upload_id })
      return begun
    },
    async processed({ file: { file_id }, new_version: { file_version_id } }) {
      for (const until = Date.now() + 30_000; ; await sleep(20)) {
        const { data } = await member.getFileVersion({ file_id, file_version_id })
        if (data.processing_status === 'ready' || data.processing_status === 'failed') return data
        assert.ok(Date.now() < until, `the version is still ${data.processing_status}`)
      }
    },
  }
}

const allNumbers = ({ part_count }: { part_count: number }) =>
  Array.from({ length: part_count }, (_, at) => at + 1)

/** The bytes of a part. */
export const partOf = (content: Buffer, part_number: number): Buffer =>
  content.subarray((part_number - 1) * partBytes, part_number * partBytes)

/** Sends a part, without a credential. */
export const put = (url: string, body: Buffer): Promise<Response> =>
  fetch(url, { method: 'PUT', body: new Uint8Array(body) })

export const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** Content that no other test has. */
export const someBytes = (length: number): Buffer => randomBytes(length)
