import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { createInspector, Postponed, type Spent } from '../../src/inspection/inspector.ts'
import { quietLog } from '../harness/quiet-log.ts'
import { docxParts, docxType, pdfOf, xlsxOf, xlsxType } from './documents.ts'
import { contentOf, inspect } from './inspecting.ts'
import { zipOf } from './zip.ts'

const failed = { status: 'failed', pages: [] }

/** The children of this process that inspect content. */
function inspecting(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => statOf(pid)?.parent === process.pid)
}

function statOf(pid: number): { parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return { parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }
  } catch {
    return null
  }
}

const openFiles = () => readdirSync('/proc/self/fd').length

/** One sheet of twelve rows with 40,000 characters each. */
const wideWorkbook = () =>
  xlsxOf({ a: Array.from({ length: 12 }, () => Array.from({ length: 20 }, () => 'x'.repeat(2000))) })

/** A PDF that takes many seconds: thousands of pages. */
const slowPdf = () => pdfOf(Array.from({ length: 40_000 }, (_, at) => `Page ${at}`))

describe('the limits', () => {
  it('stop the text of a sound document when its time is over', async () => {
    const { error, content_type, text } = await inspect('application/pdf', slowPdf(), {
      seconds: 1.5,
      pages: 1e6,
    })
    assert.deepEqual(
      { error, content_type, text },
      { error: null, content_type: 'application/pdf', text: failed },
    )
  })

  it('stop the text of a sound document when its memory is over', async () => {
    const long = zipOf(docxParts(Array.from({ length: 150_000 }, (_, at) => `Line ${at}`)))
    const { error, text } = await inspect(docxType, long, { memory_mb: 130 })
    assert.deepEqual({ error, text }, { error: null, text: failed })
  })

  it('refuse content that exhausts its reader before its type is known', async () => {
    assert.equal((await inspect('application/pdf', pdfOf(['x']), { seconds: 0.001 })).error, 'unreadable')
    assert.equal((await inspect('application/pdf', pdfOf(['x']), { memory_mb: 20 })).error, 'unreadable')
  })

  it('cut long text, split long pages, and say so', async () => {
    const cut = await inspect('application/pdf', pdfOf(['one', 'two', 'three']), { pages: 2 })
    assert.deepEqual(cut.text.pages, ['one', 'two'])
    assert.equal(cut.summary, 'PDF, 3 pages, only the start of its text')
    const { pages } = (await inspect(xlsxType, wideWorkbook())).text
    assert.deepEqual([pages.length, pages.join('').split('\n').length], [6, 12])
    assert.ok(pages.every(page => page.length <= 100_000))
    const bytes = await inspect('text/plain', 'äöü'.repeat(100), { text_bytes: 101 })
    assert.equal(bytes.text.pages.join(''), 'äöü'.repeat(16) + 'äö')
  })

  it('leave content that is too large unread, but check its type', async () => {
    const limits = { extract_bytes: 100 }
    const pdf = await inspect('application/pdf', pdfOf(['x']), limits)
    assert.deepEqual([pdf.error, pdf.text, pdf.summary], [null, { status: 'none', pages: [] }, 'PDF'])
    assert.equal((await inspect('image/png', pdfOf(['x']), limits)).error, 'type_mismatch')
    const text = await inspect('text/plain', 'x'.repeat(200), limits)
    assert.deepEqual([text.error, text.is_text, text.text.status], [null, true, 'none'])
    assert.equal((await inspect('text/plain', 'x'.repeat(200) + '\xff\0', limits)).error, 'type_mismatch')
    assert.equal((await inspect('text/html', 'x'.repeat(200), limits)).is_text, true)
  })

  it('do not parse JSON that is too large', async () => {
    assert.equal((await inspect('application/json', '[1, 2', { json_bytes: 3 })).error, null)
    assert.equal((await inspect('application/json', '['.repeat(2_000_000))).error, 'type_mismatch')
  })
})

describe('the process of an inspection', { skip: process.platform !== 'linux' && 'it needs /proc' }, () => {
  it('that somebody else kills is a fault, and the next inspection works', async () => {
    const inspector = createInspector({ clamd: null, log: quietLog })
    const killed = inspector.inspect(contentOf('application/pdf', slowPdf()))
    killed.catch(() => {})
    for (;;) {
      const [pid] = inspecting()
      if (pid !== undefined) {
        process.kill(pid, 'SIGKILL')
        break
      }
      await sleep(25)
    }
    await assert.rejects(killed, /ended with SIGKILL/)
    assert.equal((await inspector.inspect(contentOf('application/pdf', pdfOf(['x'])))).error, null)
    await inspector.close()
  })

  it('runs alone, in order, and leaves nothing behind', async () => {
    const inspector = createInspector({ clamd: null, log: quietLog })
    await inspector.inspect(contentOf('application/pdf', pdfOf(['first'])))
    const before = openFiles()
    let atOnce = 0
    const looking = setInterval(() => (atOnce = Math.max(atOnce, inspecting().length)), 25)
    const finished: number[] = []
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const answer = await inspector.inspect(contentOf('application/pdf', pdfOf([`Number ${at}`])))
        finished.push(at)
        return answer.text.pages[0]
      }),
    )
    clearInterval(looking)
    assert.deepEqual(
      answers,
      Array.from({ length: 6 }, (_, at) => `Number ${at}`),
    )
    assert.deepEqual(
      finished,
      [...finished].sort((a, b) => a - b),
    )
    assert.equal(atOnce, 1)
    assert.deepEqual(inspecting(), [])
    assert.ok(openFiles() <= before + 1, `${before} open files, then ${openFiles()}`)
    await inspector.close()
  })

  it('that takes a short turn does not wait for those that take a long one, and leaves a long document to them', async () => {
    const limits = { short_seconds: 2, wall_ratio: 100 }
    const inspector = createInspector({ clamd: null, limits, log: quietLog })
    const ended: string[] = []
    const long = inspector.inspect(contentOf('application/pdf', slowPdf()), { length: 'long' })
    const noted = (name: string) => () => void ended.push(name)
    long.then(noted('long'), noted('long'))
    while (inspecting().length === 0) await sleep(25)
    const spent: Spent[] = []
    const note = async (one: Spent) => void spent.push(one)
    const late = inspector.inspect(contentOf('application/pdf', slowPdf()), { length: 'short', note })
    await assert.rejects(late, Postponed)
    const small = inspector.inspect(contentOf('application/pdf', pdfOf(['x'])), { length: 'short', note })
    assert.equal((await small).text.status, 'ready')
    assert.deepEqual(
      spent.map(({ exceeded }) => exceeded),
      ['turn', null],
    )
    const refused = inspector.inspect(contentOf('application/pdf', pdfOf(['x'])), {
      length: 'short',
      mayBegin: () => Promise.resolve(false),
    })
    await assert.rejects(refused, Postponed)
    assert.deepEqual(ended, [])
    await inspector.close()
  })

  it('ends when the signal aborts or the inspector closes, for those that wait too', async () => {
    const inspector = createInspector({ clamd: null, log: quietLog })
    const controller = new AbortController()
    const first = inspector.inspect(contentOf('application/pdf', slowPdf()), { signal: controller.signal })
    const second = inspector.inspect(contentOf('application/pdf', slowPdf()))
    const third = inspector.inspect(contentOf('application/pdf', slowPdf()))
    for (const each of [first, second, third]) each.catch(() => {})
    while (inspecting().length === 0) await sleep(25)
    controller.abort(new Error('No longer needed.'))
    await assert.rejects(first, /No longer needed/)
    while (inspecting().length === 0) await sleep(25)
    await inspector.close()
    await assert.rejects(second, /is closed/)
    await assert.rejects(third, /is closed/)
    assert.deepEqual(inspecting(), [])
  })

  it('is not blamed for storage that fails, stalls or gives another size', async () => {
    const inspector = createInspector({ clamd: null, log: quietLog, limits: { delivery_seconds: 1 } })
    const content = contentOf('application/pdf', Buffer.concat([pdfOf(['x']), Buffer.alloc(2_000_000)]))
    const fails = () =>
      new Readable({
        read() {
          this.destroy(new Error('The disk is gone.'))
        },
      })
    const short = () => Readable.from([pdfOf(['x'])])
    let opened = 0
    const stallsLater = () =>
      opened++ === 0 ? Readable.from([Buffer.alloc(content.size_bytes)]) : new Readable({ read() {} })
    for (const [source, reason] of [
      [fails, /disk is gone/],
      [short, /instead of/],
      [stallsLater, /timeout/],
    ] as const)
      await assert.rejects(inspector.inspect({ ...content, open: () => Promise.resolve(source()) }), reason)
    assert.deepEqual(inspecting(), [])
    await inspector.close()
  })
})
