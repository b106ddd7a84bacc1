import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createClient, isProblem, uploadFile, UploadFailed, type UploadProgress } from '@wbs/sdk'
import { partSize, startFakeFiles, type FakeFiles } from './fake-files.ts'

const content = new Uint8Array(randomBytes(partSize * 9 + 100))
const sha256 = createHash('sha256').update(content).digest('hex')
const parts = (seen: readonly string[]) => seen.filter(one => one.startsWith('part ') && one !== 'part urls')

describe('uploadFile', () => {
  let fake: FakeFiles
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wbs-upload-'))
    await writeFile(join(folder, 'plan.pdf'), content)
  })
  beforeEach(async () => void (fake = await startFakeFiles()))
  after(() => rm(folder, { recursive: true, force: true }))

  const client = (settings = {}) =>
    createClient({ base_url: fake.base_url, access_token: 'token', ...settings })
  const named = { name: 'plan.pdf' }
  const storedHash = () => [...fake.versions.values()].at(-1)?.sha256

  async function* inChunks(size = 10_000, of = content) {
    for (let at = 0; at < of.length; at += size) yield of.subarray(at, at + size)
  }

  /** Ends the fake service with the test. */
  function withService(title: string, run: () => Promise<void>): void {
    void it(title, async () => {
      try {
        await run()
      } finally {
        await fake.close()
      }
    })
  }

  const sources = {
    bytes: () => content,
    'a Blob': () => new Blob([content], { type: 'application/pdf; x=y' }),
    'a path': () => join(folder, 'plan.pdf'),
    'an async iterable': () => inChunks(),
    'a ReadableStream': () => new Blob([content]).stream() as ReadableStream<Uint8Array>,
    'a stream of one chunk': () => inChunks(content.length),
  }
  for (const [what, make] of Object.entries(sources))
    withService(`sends the whole of ${what}, in parts at the same time`, async () => {
      const isStream = what.includes('terable') || what.includes('tream')
      const options = isStream ? { ...named, size_bytes: content.length } : named
      const { file, version, room_file } = await uploadFile(client(), make(), options)
      assert.equal(version.sha256, sha256)
      assert.equal(storedHash(), sha256)
      assert.equal(file.file_id, 'fil_1')
      assert.equal(room_file, undefined)
      assert.equal(parts(fake.seen).length, 10)
      assert.ok(fake.mostAtOnce > 1 && fake.mostAtOnce <= 4, String(fake.mostAtOnce))
      const [announced] = fake.bodies
      assert.deepEqual(
        [announced?.content_type, announced?.size_bytes, announced?.sha256],
        ['application/pdf', content.length, isStream ? undefined : sha256],
      )
      assert.equal(fake.bodies.at(-1)?.sha256, sha256)
    })

  withService('announces what describes the File, and gives its place in the Room', async () => {
    const about = {
      room_id: 'rom_1',
      index_path: 'A/plan.pdf',
      tags: ['2025'],
      classification: 'tax',
    } as const
    const { room_file } = await uploadFile(client(), content, { ...named, ...about })
    assert.equal(room_file?.room_file_id, 'rfl_1')
    for (const [name, value] of Object.entries(about)) assert.deepEqual(fake.bodies[0]?.[name], value)
  })

  withService('adds a version to a File', async () => {
    const { file } = await uploadFile(client(), content, { file_id: 'fil_7', expected_revision: 3 })
    assert.equal(file.file_id, 'fil_7')
    assert.deepEqual(
      [fake.seen[0], fake.bodies[0]?.expected_revision, fake.bodies[0]?.content_type],
      ['add version', 3, undefined],
    )
  })

  withService('takes the media type from the extension, if nobody names one', async () => {
    for (const [name, type] of [
      ['a.DOCX', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      ['a.constructor', 'application/octet-stream'],
      ['a', 'application/octet-stream'],
    ] as const) {
      fake.bodies.length = 0
      await uploadFile(client(), content, { name })
      assert.equal(fake.bodies[0]?.content_type, type)
    }
  })

  withService('reports bytes that never decrease, in the order of the phases', async () => {
    fake.react = (part, time) => (part % 3 === 0 && time === 1 ? 'unavailable' : 'take')
    const reports: UploadProgress[] = []
    await uploadFile(client(), content, { ...named, onProgress: report => reports.push(report) })
    assert.deepEqual(
      [...new Set(reports.map(({ phase }) => phase))],
      ['hashing', 'sending', 'completing', 'processing'],
    )
    const sent = reports.map(({ sent_bytes }) => sent_bytes)
    assert.deepEqual(
      sent,
      sent.toSorted((a, b) => a - b),
    )
    assert.equal(sent.at(-1), content.length)
    assert.ok(reports.every(({ total_bytes }) => total_bytes === content.length))
    assert.deepEqual([...new Set(reports.map(({ upload_id }) => upload_id))], [undefined, 'upl_1'])
  })

  for (const reaction of ['expired', 'hang_up', 'unavailable', 'store_busy'] as const)
    withService(`sends a part again when its request ends with ${reaction}`, async () => {
      fake.react = (part, time) => (part === 3 && time <= 2 ? reaction : 'take')
      await uploadFile(client(), content, named)
      assert.equal(storedHash(), sha256)
      assert.equal(fake.seen.filter(one => one === 'part 3').length, 3)
    })

  withService('gets new addresses when all of them have expired', async () => {
    const timesAsked = () => fake.seen.filter(what => what === 'part urls').length
    fake.react = part => (timesAsked() === 1 && part === 2 ? 'expired' : 'take')
    await uploadFile(client(), content, named)
    assert.equal(storedHash(), sha256)
    assert.ok(timesAsked() > 1)
  })

  withService('fails after as many attempts as are set, and stops the other parts', async () => {
    fake.react = part => (part === 2 ? 'unavailable' : 'wait')
    const upload = uploadFile(client({ attempts: 1 }), content, named)
    await assert.rejects(upload, error => isProblem(error, 'unavailable'))
    assert.equal(fake.seen.filter(one => one === 'part 2').length, 2)
    assert.equal(fake.seen.includes('complete'), false)
  })

  withService(
    'ends at once when it is aborted, and sends only what is missing when it is resumed',
    async () => {
      const stop = new Error('No longer wanted.')
      const controller = new AbortController()
      fake.react = part => (part > 4 ? 'wait' : 'take')
      let upload_id = ''
      const first = uploadFile(client(), content, {
        ...named,
        signal: controller.signal,
        onProgress(progress) {
          upload_id = progress.upload_id ?? upload_id
          if (fake.uploads.get(upload_id)?.received_parts.length === 4) controller.abort(stop)
        },
      })
      await assert.rejects(first, error => error === stop)
      fake.react = () => 'take'
      fake.seen.length = 0
      const sent: number[] = []
      const onProgress = ({ phase, sent_bytes }: UploadProgress) =>
        void (phase === 'sending' && sent.push(sent_bytes))
      await uploadFile(client(), join(folder, 'plan.pdf'), { resume: upload_id, onProgress })
      assert.equal(storedHash(), sha256)
      // Each once, because requests of the first call may still arrive.
      assert.deepEqual([...new Set(parts(fake.seen))].sort(), [
        'part 10',
        'part 5',
        'part 6',
        'part 7',
        'part 8',
        'part 9',
      ])
      assert.equal(fake.seen.includes('create'), false)
      assert.equal(sent[0], 4 * partSize)
    },
  )

  withService('resumes a stream too, which is read again', async () => {
    const options = { ...named, size_bytes: content.length }
    fake.react = part => (part > 4 ? 'store_busy' : 'take')
    await assert.rejects(uploadFile(client({ attempts: 1 }), inChunks(), options))
    const before = fake.uploads.get('upl_1')?.received_parts.length ?? 0
    assert.ok(before > 0)
    fake.react = () => 'take'
    fake.seen.length = 0
    await uploadFile(client(), inChunks(), { ...options, resume: 'upl_1' })
    assert.equal(storedHash(), sha256)
    // Each once, because requests of the first call may still arrive.
    assert.equal(new Set(parts(fake.seen)).size, 10 - before)
  })

  withService('finds the open upload of the same content and place by itself', async () => {
    const place = { ...named, room_id: 'rom_1', index_path: 'A/plan.pdf' }
    fake.react = part => (part > 4 ? 'store_busy' : 'take')
    const impatient = client({ attempts: 1 })
    await assert.rejects(uploadFile(impatient, content.subarray(1), place))
    await assert.rejects(uploadFile(impatient, content, { ...place, index_path: 'B/plan.pdf' }))
    await assert.rejects(uploadFile(impatient, content, place))
    fake.react = () => 'take'
    fake.seen.length = 0
    const { file, room_file } = await uploadFile(client(), content, { ...place, resume: 'auto' })
    assert.deepEqual([file.file_id, room_file?.room_file_id], ['fil_3', 'rfl_3'])
    assert.equal(fake.seen.includes('create'), false)
    await uploadFile(client(), content, { ...place, resume: 'auto' })
    assert.ok(fake.seen.includes('create'), 'a completed upload was continued')
  })

  withService('continues the first upload of the same idempotency_key', async () => {
    const options = { ...named, idempotency_key: 'my-own-key' }
    fake.react = part => (part > 4 ? 'store_busy' : 'take')
    await assert.rejects(uploadFile(client({ attempts: 1 }), content, options))
    fake.react = () => 'take'
    const first = await uploadFile(client(), content, options)
    const again = await uploadFile(client(), content, options)
    assert.equal(again.version.file_version_id, first.version.file_version_id)
    assert.equal(fake.uploads.size, 1)
    assert.equal(fake.seen.filter(one => one === 'complete').length, 1)
  })

  withService('does not continue an upload of other content', async () => {
    const other = new Uint8Array(content.length)
    fake.react = () => 'store_busy'
    await uploadFile(client({ attempts: 1 }), content, named).catch(() => {})
    await assert.rejects(uploadFile(client(), other, { ...named, resume: 'upl_1' }), /is of other content/)
    await assert.rejects(uploadFile(client(), other.subarray(1), { ...named, resume: 'upl_1' }), /bytes/)
  })

  withService('waits until the version is ready', async () => {
    fake.processing = 3
    const { version } = await uploadFile(client(), content, named)
    assert.equal(version.processing_status, 'ready')
    fake.processing = 3
    const { version: unready } = await uploadFile(client(), content, { ...named, wait: false })
    assert.equal(unready.processing_status, 'processing')
  })

  withService('throws UploadFailed where the version fails', async () => {
    fake.processing_error = 'type_mismatch'
    await assert.rejects(
      uploadFile(client(), content, named),
      error =>
        error instanceof UploadFailed &&
        error.processing_error === 'type_mismatch' &&
        error.version.file_version_id === 'fvr_1' &&
        error.message.startsWith('The upload of plan.pdf failed: the content is not of the type'),
    )
  })

  for (const given of [content, inChunks])
    withService(
      `throws UploadFailed where other bytes are stored than ${given === content ? 'announced' : 'streamed'}`,
      async () => {
        fake.corrupt = true
        const source = given === content ? content : inChunks()
        await assert.rejects(
          uploadFile(client(), source, { ...named, size_bytes: content.length, wait: false }),
          error => error instanceof UploadFailed && error.processing_error === 'checksum_mismatch',
        )
      },
    )

  withService('sends empty text as a text File, and nothing else that is empty', async () => {
    await uploadFile(client(), new Uint8Array(), { name: 'notes.md' })
    assert.deepEqual([fake.seen, fake.bodies[0]?.format], [['text'], 'markdown'])
    await assert.rejects(uploadFile(client(), new Uint8Array(), named), /plan\.pdf is empty/)
    assert.equal(fake.seen.length, 1)
  })

  withService('refuses before it sends anything what cannot be an upload', async () => {
    const refused: [unknown, object, RegExp][] = [
      [content, {}, /A File needs a name/],
      [inChunks(), { ...named, size_bytes: -1 }, /size_bytes must be/],
      [inChunks(), named, /more than 8 MiB/],
      [42, named, /must be a path, a Blob/],
      [content, { file_id: 'fil_1' }, /requires expected_revision/],
      [content, { file_id: 'fil_1', expected_revision: 1, room_id: 'rom_1' }, /room_id is for a new File/],
      [content, { ...named, resume: 'auto' }, /requires room_id or file_id/],
      [content, { ...named, concurrency: 0 }, /concurrency must be/],
      [folder, {}, /is not a file/],
    ]
    for (const [source, options, message] of refused) {
      const given =
        source instanceof Object && message.source.includes('8 MiB')
          ? inChunks(1e6, new Uint8Array(9e6))
          : source
      await assert.rejects(uploadFile(client(), given as Uint8Array, options), { name: 'TypeError', message })
    }
    assert.deepEqual(fake.seen, [])
  })

  withService('takes no client but one that createClient of the same package has created', async () => {
    const original = client()
    const message = /createClient of the same copy of @wbs\/sdk/
    for (const other of [{ ...original }, {}, undefined])
      await assert.rejects(uploadFile(other as typeof original, content, named), {
        name: 'TypeError',
        message,
      })
    assert.deepEqual(fake.seen, [])
  })

  for (const [what, size_bytes] of [
    ['shorter', content.length + 1],
    ['longer', content.length - 1],
  ] as const)
    withService(`does not complete the upload of a stream that is ${what} than announced`, async () => {
      await assert.rejects(
        uploadFile(client(), inChunks(), { ...named, size_bytes }),
        /The stream was announced with/,
      )
      assert.equal(fake.seen.includes('complete'), false)
    })

  const hasProc = existsSync('/proc/self/fd')
  withService('closes a file that it could not send', async () => {
    if (!hasProc) return
    fake.react = () => 'store_busy'
    await assert.rejects(uploadFile(client({ attempts: 1 }), join(folder, 'plan.pdf')))
    const open = readdirSync('/proc/self/fd').flatMap(fd => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)]
      } catch {
        return [] // it was that of the folder itself
      }
    })
    assert.ok(open.length > 0 && !open.includes(join(folder, 'plan.pdf')))
  })
})
