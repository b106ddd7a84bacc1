import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { createClient, uploadFile, type ClientSettings, type Hooks, type UploadProgress } from '@wbs/sdk'
import { startFakeFiles, type FakeFiles } from './fake-files.ts'

const mebibyte = 1024 * 1024
const partSize = 16 * mebibyte
const content = new Uint8Array(2 * partSize + 5)

describe('the progress of an upload', () => {
  let fake: FakeFiles
  before(async () => void (fake = await startFakeFiles(partSize)))
  beforeEach(() => void (fake.react = () => 'take'))
  after(() => fake.close())

  const upload = async (settings: Partial<ClientSettings> = {}, source: Uint8Array | Blob = content) => {
    const progress: UploadProgress[] = []
    const client = createClient({ base_url: fake.base_url, access_token: 'token', ...settings })
    await uploadFile(client, source, { name: 'plan.pdf', onProgress: one => void progress.push(one) })
    return progress
  }
  const isMonotone = (progress: UploadProgress[]) =>
    progress.every(({ sent_bytes }, i) => i === 0 || sent_bytes >= (progress[i - 1]?.sent_bytes ?? 0))

  for (const [what, source] of [
    ['bytes', content],
    ['a Blob', new Blob([content])],
  ] as const)
    it(`moves within the parts of ${what}, and ends at the total`, async () => {
      const progress = await upload({}, source)
      const within = new Set(progress.map(one => one.sent_bytes).filter(sent => sent % partSize !== 0))
      assert.ok(within.size > 50, `${within.size} steps`)
      assert.ok(isMonotone(progress))
      assert.equal(progress.at(-1)?.sent_bytes, content.length)
      assert.ok(progress.every(one => one.total_bytes === content.length))
    })

  it('does not decrease when a part is sent again', async () => {
    fake.react = (part, time) => (part <= 2 && time === 1 ? 'hang_up' : 'take')
    const progress = await upload()
    assert.ok(isMonotone(progress))
    assert.equal(progress.at(-1)?.sent_bytes, content.length)
  })

  it('counts what the network has taken, not what waits for it', async () => {
    fake.react = () => 'wait'
    const end = new AbortController()
    let sent = 0
    const client = createClient({ base_url: fake.base_url, access_token: 'token' })
    const call = uploadFile(client, content, {
      name: 'plan.pdf',
      concurrency: 1,
      signal: end.signal,
      onProgress: ({ sent_bytes }) => void (sent = sent_bytes),
    })
    await pass(1000)
    assert.ok(sent > 0 && sent < partSize, String(sent))
    end.abort(new Error('enough'))
    await assert.rejects(call, /enough/)
  })

  it('counts whole parts where a fetch function was given', async () => {
    const progress = await upload({ fetch: async (input, init) => fetch(input, init) })
    const sent = new Set(progress.map(one => one.sent_bytes))
    assert.ok(sent.size <= 4 && isMonotone(progress), [...sent].join())
    assert.equal(progress.at(-1)?.sent_bytes, content.length)
  })

  it('breaks no upload when the function that is told throws', async () => {
    const client = createClient({ base_url: fake.base_url, access_token: 'token' })
    const { version } = await uploadFile(client, new Uint8Array(100), {
      name: 'plan.pdf',
      onProgress: () => {
        throw new Error('broken')
      },
    })
    assert.equal(version.processing_status, 'ready')
  })
})

it('hooks are told of the parts of an upload, and not of their addresses', async t => {
  const fake = await startFakeFiles()
  t.after(() => fake.close())
  fake.react = (part, time) => (part === 2 && time === 1 ? 'unavailable' : 'take')
  const log: object[] = []
  const note = (entry: object) => void log.push(entry)
  const hooks: Hooks = { onRequest: note, onAnswer: note, onRetry: note }
  const client = createClient({ base_url: fake.base_url, access_token: 'a secret token', hooks })
  await uploadFile(client, new Uint8Array(100_000), { name: 'secret plan.pdf' })
  const text = JSON.stringify(log)
  assert.doesNotMatch(text, /signature|secret|127\.0\.0\.1/)
  const parts = log.filter(entry => 'operation' in entry && entry.operation === 'send_part')
  // Two parts and a repetition: three requests and three answers, and the news that one is repeated.
  assert.equal(parts.length, 7)
  assert.ok(parts.every(entry => 'path' in entry && entry.path === null))
})
