import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { rowChanges } from '../../harness/transactions/row-changes.ts'
import { eventually } from '../../harness/eventually.ts'
import { makeUploadWorld, plainText, put, type UploadWorld } from '../uploads/upload-fixture.ts'

let world: UploadWorld
before(async () => void (world = await makeUploadWorld()))
after(() => world.close())
const us = () => world.as(world.people.member)
const headers = () => ({
  authorization: `Bearer ${world.people.member.token}`,
  'svc-workspace-id': world.workspace_id,
})

const download = (file_id: string, more: Record<string, string> = {}) =>
  fetch(`${world.service.base_url}/v1/files/${file_id}/download`, { headers: { ...headers(), ...more } })

const refusedNames = [
  '..',
  '.',
  '../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'a/b.txt',
  'a\r\nSet-Cookie: x=1',
  'a\u0000.txt',
  '\u001b[31mred.txt',
  'a\u0085b',
  'x'.repeat(256),
  '\ud800.txt',
]

const acceptedNames = [
  'x".txt; filename="evil.exe',
  '\u202etxt.exe',
  '\u2066a\u2069.txt',
  '😀'.repeat(255),
  "o'brien (1)*.txt",
  '%2e%2e%2fetc%2fpasswd',
  '$(reboot).txt',
  '`id`;|&.txt',
  'CON',
  '.htaccess',
  '-rf.txt',
]

describe('a name', () => {
  it('that leaves its folder, breaks a line or controls a terminal is refused wherever one is taken', async () => {
    const room_id = await world.room()
    const { room_file, file } = await us().createTextFile({ name: 'A.md', content: 'A', room_id })
    const [room_file_id, file_id] = [room_file?.room_file_id ?? '', file.file_id]
    for (const name of refusedNames) {
      const isPath = name === 'a/b.txt'
      const places = [
        us().createTextFile({ name, content: 'A' }),
        us().createFileUpload({ name, content_type: 'text/plain', size_bytes: 1 }),
        us().updateFile({ file_id, expected_revision: 1, name }),
        us().updateRoomFile({ room_file_id, expected_revision: 1, display_name: name }),
        ...(isPath
          ? []
          : [
              us().updateRoomFile({ room_file_id, expected_revision: 1, index_path: name }),
              us().createTextFile({ name: 'B.md', content: 'A', room_id, index_path: `Folder/${name}/B.md` }),
            ]),
      ]
      // All at once: one that is refused before its turn would be an error that nobody handles.
      await Promise.all(places.map(place => refused(place, 'validation_error')))
    }
  })

  it('with quotes, reversed text or 255 characters of four bytes is kept, and leaves in a header that is safe', async () => {
    for (const name of acceptedNames) {
      const room_id = await world.room()
      const { file } = await us().createTextFile({ name, content: 'A', room_id })
      assert.equal(file.name, name)
      const answer = await download(file.file_id)
      await answer.arrayBuffer()
      const disposition = answer.headers.get('content-disposition') ?? ''
      const [, ascii = '', full = ''] =
        /^attachment; filename="([^"\\/%]*)"; filename\*=UTF-8''([^"\s]*)$/.exec(disposition) ?? []
      assert.notEqual(full, '', disposition)
      assert.match(ascii, /^[\x20-\x7e]+$/)
      const decoded = decodeURIComponent(full)
      assert.doesNotMatch(
        decoded,
        // oxlint-disable-next-line no-control-regex -- They are what must not be there.
        /["\\/\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]|^\./,
      )
      assert.ok(Buffer.byteLength(decoded) <= 255)
      const { data } = await us().listEvents({ room_id })
      assert.ok(data.every(event => !JSON.stringify(event).includes('\r')))
    }
  })

  it('is found by a part of it, in which nothing is a wildcard', async () => {
    const marks = ['100%', 'a_b', 'a\u2215b', "x'y", '$1', '[a-z]', 'A*']
    const mine = world.as(world.people.admin)
    for (const mark of marks) await mine.createTextFile({ name: `Mark ${mark}.md`, content: 'A' })
    const found = async (name: string) =>
      (await mine.listFiles({ name, limit: 100 })).data.map(file => file.name)
    for (const mark of marks) assert.deepEqual(await found(mark), [`Mark ${mark}.md`])
    for (const wildcard of ['%.md%', 'M_rk', '.*', '\\', '%%']) assert.deepEqual(await found(wildcard), [])
    assert.deepEqual(await found('mark 100%'), ['Mark 100%.md'])
  })
})

describe('what describes a File', () => {
  it('has no NUL and no tags that cannot be stored', async () => {
    const base = { name: 'A.md', content: 'A' }
    await refused(us().createTextFile({ ...base, description: 'a\u0000b' }), 'validation_error')
    await refused(us().createTextFile({ ...base, content: 'a\u0000b' }), 'validation_error')
    await refused(us().createTextFile({ ...base, tags: ['a\u0000'] }), 'validation_error')
    await refused(us().createTextFile({ ...base, tags: ['a', 'a'] }), 'validation_error')
    await refused(
      us().createTextFile({ ...base, tags: Array.from({ length: 21 }, String) }),
      'validation_error',
    )
  })

  it('is found by a tag as it is written', async () => {
    const mine = world.as(world.people.admin)
    const tags = ["o'clock", '100%', '{a,b}', '"', '\\', 'null', '😀']
    const { file } = await mine.createTextFile({ name: 'Tagged.md', content: 'A', tags })
    for (const tag of tags)
      assert.deepEqual(
        (await mine.listFiles({ tag })).data.map(({ file_id }) => file_id),
        [file.file_id],
        tag,
      )
    for (const tag of ['100_', '{', 'a', '%']) assert.deepEqual((await mine.listFiles({ tag })).data, [])
  })

  it('of JSON content is checked however deep it is', async () => {
    const depth = 400_000
    const bomb = '['.repeat(depth)
    await refused(us().createTextFile({ name: 'A.json', content: bomb, format: 'json' }), 'validation_error')
    const { file } = await us().createTextFile({
      name: 'A.json',
      content: bomb + ']'.repeat(depth),
      format: 'json',
    })
    assert.equal(file.current_version.size_bytes, 2 * depth)
    await refused(
      us().createTextFile({ name: 'A.json', content: '\ufeff{}', format: 'json' }),
      'validation_error',
    )
  })
})

describe('the Files of a Room', () => {
  it('are not found under what is no folder, and by no cursor of somebody else', async () => {
    const room_id = await world.room()
    for (const index_path of ['A/1.md', 'A0/2.md', 'A%/3.md', 'a/4.md'])
      await us().createTextFile({ name: 'F.md', content: 'F', room_id, index_path })
    const under = async (folder: string) =>
      (await us().listRoomFiles({ room_id, under: folder })).data.map(one => one.index_path)
    assert.deepEqual(await under('A'), ['A/1.md'])
    assert.deepEqual(await under('A%'), ['A%/3.md'])
    for (const folder of ['_', '%', '.', 'A/1', "' or 1=1 --", '😀', '\uffff', '~', 'A//'])
      assert.deepEqual(await under(folder), [], folder)
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const cursors = [
      'x',
      'AAAA',
      forged({}),
      forged(['a']),
      forged(['a', 'rfl_x']),
      forged(['a\u0000', room_id]),
      forged([1, 2]),
      forged(null),
    ]
    for (const cursor of cursors) await refused(us().listRoomFiles({ room_id, cursor }), 'validation_error')
  })
})

describe('a download', () => {
  it('is never of a type that a browser runs', async () => {
    const types = [
      'text/html',
      'image/svg+xml',
      'text/xml',
      'application/xhtml+xml',
      'application/javascript',
      'text/css',
      'multipart/mixed',
      'application/x-shockwave-flash',
      'text/vtt',
    ]
    for (const content_type of types) {
      world.inspection.next = () => Promise.resolve({ ...plainText, content_type })
      const begun = await world.upload(Buffer.from('<script>alert(1)</script>'), {
        content_type,
        name: 'x.html',
      })
      await world.processed(begun)
      const { file_id } = begun.file
      const { url } = await us().createDownloadLink({ file_id })
      for (const answer of [await download(file_id), await fetch(url ?? '')]) {
        await answer.arrayBuffer()
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), 'application/octet-stream', content_type)
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
        assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/)
        assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
      }
    }
    world.inspection.next = () => Promise.resolve(plainText)
  })

  it('has no more than the range, whatever the range says', async () => {
    const { file } = await us().createTextFile({ name: 'A.txt', content: '0123456789' })
    const cases: [range: string, status: number, body: string][] = [
      ['bytes=0-0', 206, '0'],
      ['bytes=9-', 206, '9'],
      ['bytes=-1', 206, '9'],
      ['bytes=-99', 206, '0123456789'],
      ['bytes=5-99999999999999999999', 206, '56789'],
      ['bytes=99999999999999999999-', 416, ''],
      ['bytes=10-', 416, ''],
      ['bytes=-0', 416, ''],
      ['bytes=5-4', 200, '0123456789'],
      ['bytes=0-1,3-4', 200, '0123456789'],
      ['bytes=0-0,0-0,0-0', 200, '0123456789'],
      ['bytes=-', 200, '0123456789'],
      ['bytes=a-b', 200, '0123456789'],
      ['bytes=0x1-2', 200, '0123456789'],
      ['items=0-1', 200, '0123456789'],
      ['bytes=+1-2', 200, '0123456789'],
    ]
    for (const [range, status, body] of cases) {
      const answer = await download(file.file_id, { range })
      const text = await answer.text()
      assert.deepEqual([answer.status, answer.status === 416 ? '' : text], [status, body], range)
    }
    const stale = await download(file.file_id, { range: 'bytes=0-0', 'if-range': '"another"' })
    assert.deepEqual([stale.status, await stale.text()], [200, '0123456789'])
  })
})

describe('addresses that the service writes', () => {
  it('begin with its own address, whatever Host a client sends', async () => {
    const { upload, file } = await world.begin(Buffer.from('A'))
    const ready = await us().createTextFile({ name: 'A.md', content: 'A' })
    const ask = (path: string, body: string) =>
      new Promise<string>((resolve, reject) => {
        const sending = request(`${world.service.base_url}${path}`, {
          method: 'POST',
          headers: {
            ...headers(),
            host: 'evil.example',
            'x-forwarded-host': 'evil.example',
            forwarded: 'host=evil.example',
            'content-type': 'application/json',
            'idempotency-key': crypto.randomUUID(),
          },
        })
        sending.on('error', reject)
        sending.on('response', response => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk)).on('end', () => resolve(text))
        })
        sending.end(body)
      })
    const parts = await ask(`/v1/uploads/${upload.upload_id}/part-urls`, '{"part_numbers":[1]}')
    const link = await ask(`/v1/files/${ready.file.file_id}/download-links`, '{}')
    for (const answer of [parts, link]) {
      assert.ok(!answer.includes('evil.example'), answer)
      assert.ok(answer.includes(`"url":"${world.service.base_url}/v1/`), answer)
    }
    assert.equal(file.name, 'Notes.txt')
  })

  it('are in no line of the log, no row and no replay, used or refused', async () => {
    const content = Buffer.from('A')
    const { upload } = await world.begin(content)
    const { upload_id } = upload
    const { parts } = await us().createPartUrls({ upload_id, part_numbers: [1] })
    const part = parts[0]?.url ?? ''
    const { file } = await us().createTextFile({ name: 'A.md', content: 'A' })
    const idempotency_key = crypto.randomUUID()
    const { url } = await us().createDownloadLink({ file_id: file.file_id }, { idempotency_key })
    const link = url ?? ''
    const replay = await us().createDownloadLink({ file_id: file.file_id }, { idempotency_key })
    assert.deepEqual([replay.url, replay.idempotent_replay], [null, true])
    const token = link.split('/').at(-1) ?? ''
    const signature = new URL(part).searchParams.get('signature') ?? ''
    const altered = `${part}x`
    const answers = [
      await put(part, Buffer.from('too long')),
      await put(part, content),
      await put(altered, content),
      await fetch(link, { method: 'HEAD' }),
      await fetch(link, { headers: { range: 'bytes=9-' } }),
      await fetch(link),
      await fetch(link),
      await fetch(`${link}x`),
    ]
    const secrets = [token.split('.')[1] ?? '', token.slice(0, 60), signature]
    for (const answer of answers) {
      const said = `${await answer.text()}${JSON.stringify([...answer.headers])}`
      for (const secret of secrets) assert.ok(!said.includes(secret), said)
    }
    const last = answers.at(-1)?.headers.get('svc-request-id') ?? 'none'
    await eventually(() => world.service.logged.some(line => line.includes(last)))
    const logged = world.service.logged.join('\n')
    const tables = await world.service.sql<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('svc', 'svc_jobs')`,
    )
    assert.ok(tables.length > 10)
    for (const secret of secrets) {
      assert.ok(secret.length >= 40)
      assert.ok(!logged.includes(secret), 'in the log')
      for (const { name } of tables) {
        const [row] = await world.service.sql<{ count: number }>(
          `select count(*)::integer as count from ${name} t where position($1 in t::text) > 0`,
          [secret],
        )
        assert.equal(row?.count, 0, name)
      }
    }
  })
})

describe('reading', () => {
  it('content, text, versions and addresses of parts changes no row', async () => {
    const { upload } = await world.begin(Buffer.from('A'))
    const { file } = await us().createTextFile({ name: 'A.md', content: 'A' })
    const { file_id } = file
    const { upload_id } = upload
    await eventually(async () => {
      const [row] = await world.service.sql(
        `select count(*)::integer as left from svc_jobs.job where state in ('created', 'active') and start_after <= now()`,
      )
      return row?.['left'] === 0
    })
    await rowChanges(world.service)
    await us().readFileContent({ file_id })
    await us().getFileText({ file_id })
    await us().listFileVersions({ file_id })
    await us().getUpload({ upload_id })
    await us().listUploads({})
    await us().createPartUrls({ upload_id, part_numbers: [1] })
    for (const more of [
      {},
      { range: 'bytes=0-0' },
      { range: 'bytes=7-' },
      { 'if-none-match': '*' },
    ] as Record<string, string>[])
      await (await download(file_id, more)).arrayBuffer()
    assert.deepEqual(await rowChanges(world.service), [])
  })
})
