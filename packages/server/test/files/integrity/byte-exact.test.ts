import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { refused } from '../../harness/refused.ts'
import { makeUploadWorld, plainText, type UploadWorld } from '../uploads/upload-fixture.ts'
import { proofRuns } from '../../harness/proof.ts'

let world: UploadWorld
before(async () => void (world = await makeUploadWorld({ uploads: { part_bytes: 8 * 1024 * 1024 } })))
after(() => world.close())
const us = () => world.as(world.people.member)

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const kibibyte = 1024

/** All control characters but NUL. */
const controls = String.fromCharCode(...Array.from({ length: 31 }, (_, at) => at + 1), 0x7f, 0x85, 0x9f)

/** Pieces of text that programs change, cut or lose. */
const pieces = [
  'a',
  '\ufeff',
  '\r\n',
  '\r',
  '\n',
  '\u2028\u2029',
  '\u202e\u2066\u200f',
  'e\u0301\u0323',
  'é',
  '€',
  '😀',
  '\u{10ffff}',
  '\uffff\ufffe',
  '\ufffd',
  '"\\</script>',
  controls,
]

/** The sizes at which a page, a page of text or the content ends, and those next to them. */
const sizes = [0, 1, 2, 3, 4, 5, ...[64, 128, 256, 1024].flatMap(near)]
function near(kibibytes: number): number[] {
  return [-4, -3, -1, 0, 1, 3]
    .map(more => kibibytes * kibibyte + more)
    .filter(size => size <= 1024 * kibibyte)
}

/** Text of exactly so many bytes: pieces in turn from one of them on, filled up with letters. */
function textOf(size: number, first: number): string {
  let text = ''
  let left = size
  for (let at = first; left > 0; at++) {
    const piece = pieces[at % pieces.length] as string
    const fits = Buffer.byteLength(piece) <= left
    text += fits ? piece : 'x'
    left -= fits ? Buffer.byteLength(piece) : 1
  }
  return text
}

const texts = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...sizes), fc.nat({ max: 15 })).map(([size, at]) => textOf(size, at)),
  },
  fc.string({ unit: 'binary', maxLength: 300 }).map(text => text.replaceAll('\0', '')),
)

/** The pages of a version, and whether each is whole characters of at most so many bytes. */
async function pagesOf(file_id: string, max_bytes: number): Promise<Buffer> {
  const pages: Buffer[] = []
  let at: { offset: number; file_version_id?: string } = { offset: 0 }
  for (;;) {
    const { file_content: page } = await us().readFileContent({ file_id, max_bytes, ...at })
    const bytes = Buffer.from(page.content)
    assert.equal(page.encoding, 'utf8')
    assert.equal(page.offset, at.offset)
    assert.equal(bytes.length, page.size_bytes)
    assert.equal(page.next_offset, page.offset + bytes.length)
    assert.ok(bytes.length <= max_bytes)
    pages.push(bytes)
    if (!page.has_more) {
      assert.equal(page.next_offset, page.total_bytes)
      return Buffer.concat(pages)
    }
    assert.ok(bytes.length > max_bytes - 4, 'a page is shorter than it must be')
    at = { offset: page.next_offset, file_version_id: page.file_version_id }
  }
}

async function textPagesOf(file_id: string): Promise<Buffer> {
  const pages: string[] = []
  for (let page = 1; ; page++) {
    const { data } = await us().getFileText({ file_id, page })
    pages.push(data.text)
    if (!data.has_more) return Buffer.from(pages.join(''))
  }
}

async function download(file_id: string, range?: [start: number, end: number]): Promise<Buffer> {
  const response = await fetch(`${world.service.base_url}/v1/files/${file_id}/download`, {
    headers: {
      authorization: `Bearer ${world.people.member.token}`,
      'svc-workspace-id': world.workspace_id,
      ...(range && { range: `bytes=${range[0]}-${range[1]}` }),
    },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, range ? 206 : 200)
  return bytes
}

/** Checks that every way to read a File returns the bytes. */
async function readsBack(
  file_id: string,
  bytes: Buffer,
  max_bytes: number,
  ranges: readonly (readonly [number, number])[],
) {
  assert.equal(sha256Of(await pagesOf(file_id, max_bytes)), sha256Of(bytes))
  assert.equal(sha256Of(await textPagesOf(file_id)), sha256Of(bytes))
  assert.equal(sha256Of(await download(file_id)), sha256Of(bytes))
  for (const [from, length] of bytes.length === 0 ? [] : ranges) {
    const start = from % bytes.length
    const end = Math.min(bytes.length - 1, start + length)
    assert.ok((await download(file_id, [start, end])).equals(bytes.subarray(start, end + 1)))
  }
}

const ranges = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 300_000 })), { minLength: 1, maxLength: 3 })

/** So large that no text takes hundreds of requests. */
const pageSizeFor = (bytes: number, wish: number) =>
  Math.min(262_144, Math.max(4 + wish, Math.ceil(bytes / 40)))

describe('text reads back byte for byte', () => {
  it('created as text, of any size and with anything in it', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        texts,
        fc.constantFrom('markdown', 'plain_text', 'csv', 'tsv', 'json'),
        fc.nat({ max: 9 }),
        ranges,
        async (text, format, wish, some) => {
          const content = format === 'json' ? JSON.stringify(text.slice(0, 100_000)) : text
          const bytes = Buffer.from(content)
          if (bytes.length > 1024 * kibibyte) return
          const { file } = await us().createTextFile({ name: 'Any.txt', content, format })
          assert.equal(file.current_version.sha256, sha256Of(bytes))
          assert.equal(file.current_version.size_bytes, bytes.length)
          await readsBack(file.file_id, bytes, pageSizeFor(bytes.length, wish), some)
        },
      ),
      { numRuns: proofRuns({ full: 40, short: 8 }), endOnFailure: true },
    ),
  )

  it('uploaded, as any text type', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        texts.filter(text => text.length > 0),
        fc.constantFrom('text/plain', 'text/csv', 'text/markdown', 'application/json'),
        fc.nat({ max: 9 }),
        ranges,
        async (text, content_type, wish, some) => {
          const bytes = Buffer.from(text)
          world.inspection.next = () => Promise.resolve({ ...plainText, content_type })
          const begun = await us().createFileUpload({
            name: 'Any.txt',
            content_type,
            size_bytes: bytes.length,
          })
          const { upload_id } = begun.upload
          await us().uploadContent({ upload_id, content: bytes.toString('base64') })
          await us().completeUpload({ upload_id, sha256: sha256Of(bytes) })
          assert.equal((await world.processed(begun)).processing_status, 'ready')
          await readsBack(begun.file.file_id, bytes, pageSizeFor(bytes.length, wish), some)
        },
      ),
      { numRuns: proofRuns({ full: 8, short: 2 }), endOnFailure: true },
    ),
  )

  it('and an offset inside a character is refused, at each byte of it', async () => {
    const { file } = await us().createTextFile({ name: 'A.md', content: 'a😀€é' })
    const { file_id } = file
    const starts = new Set([0, 1, 5, 8, 10])
    for (let offset = 0; offset <= 11; offset++) {
      const reading = us().readFileContent({ file_id, offset, max_bytes: 4 })
      if (starts.has(offset)) {
        await reading
        continue
      }
      const problem = await refused(reading, 'validation_error')
      assert.equal(problem.errors[0]?.code, offset > 10 ? 'out_of_range' : 'not_boundary')
    }
  })

  it('and a page after a new version has the bytes of the version that is named', async () => {
    const [first, second] = ['1€'.repeat(500), '😀'.repeat(500)]
    const { file } = await us().createTextFile({ name: 'A.md', content: first })
    const { file_id } = file
    const { file_version_id } = file.current_version
    const page = await us().readFileContent({ file_id, max_bytes: 1000 })
    const { upload, ...begun } = await us().addFileVersion({
      file_id,
      expected_revision: 1,
      size_bytes: Buffer.byteLength(second),
    })
    await us().uploadContent({ upload_id: upload.upload_id, content: Buffer.from(second).toString('base64') })
    await us().completeUpload({ upload_id: upload.upload_id })
    await world.processed(begun)
    const { next_offset: offset } = page.file_content
    const rest = await us().readFileContent({ file_id, file_version_id, offset })
    assert.equal(page.file_content.content + rest.file_content.content, first)
    assert.equal((await us().readFileContent({ file_id })).file_content.content, second)
    await refused(us().readFileContent({ file_id, offset: 1001 }), 'validation_error')
  })
})
