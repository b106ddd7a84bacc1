import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readZip } from '../../src/inspection/child/read-zip.ts'
import { Unreadable } from '../../src/inspection/child/document.ts'
import { defaultLimits } from '../../src/inspection/limits.ts'
import { docxParts, docxType } from './documents.ts'
import { inspect } from './inspecting.ts'
import { zipOf } from './zip.ts'

const MB = 1_000_000
const zeros = (bytes: number) => Buffer.alloc(bytes)

describe('a zip', () => {
  it('is a bomb if an entry inflates too much', async () => {
    const bomb = zipOf([{ name: 'a', content: zeros(11 * MB) }])
    assert.ok(bomb.length < 20_000)
    assert.equal((await inspect('application/zip', bomb)).error, 'unreadable')
    const asDocument = zipOf([...docxParts(['x']), { name: 'word/media/a.bmp', content: zeros(11 * MB) }])
    assert.equal((await inspect(docxType, asDocument)).error, 'unreadable')
    const small = zipOf([{ name: 'a', content: zeros(9 * MB) }])
    assert.equal((await inspect('application/zip', small)).error, null)
  })

  it('has at most so many entries, and so many bytes in all', async () => {
    const entries = (count: number) =>
      zipOf(Array.from({ length: count }, (_, at) => ({ name: `${at}`, content: 'x', stored: true })))
    assert.equal((await readZip(entries(10_000), defaultLimits)).length, 10_000)
    await assert.rejects(readZip(entries(10_001), defaultLimits), Unreadable)
    const overlarge = Array.from({ length: 120 }, (_, at) => ({
      name: `${at}`,
      content: 'x',
      declaredSize: 9 * MB,
    }))
    await assert.rejects(readZip(zipOf(overlarge), defaultLimits), /too large/)
  })

  it('is broken if an entry has another size than it declares', async () => {
    for (const declaredSize of [10, 4999, 5001])
      await assert.rejects(
        readZip(zipOf([{ name: 'a', content: zeros(5000), declaredSize }]), defaultLimits),
        Unreadable,
      )
    const lie = zipOf([
      ...docxParts(['x']),
      { name: 'word/a.xml', content: zeros(50 * MB), declaredSize: 1000 },
    ])
    const { error } = await inspect(docxType, lie)
    assert.equal(error, 'unreadable')
  })

  it('may contain zips, which are not opened', async () => {
    let nested = zipOf([{ name: 'bomb', content: zeros(30 * MB) }])
    for (let depth = 0; depth < 5; depth++) nested = zipOf([{ name: 'inner.zip', content: nested }])
    const { error, summary } = await inspect('application/zip', nested)
    assert.deepEqual([error, summary], [null, 'ZIP archive, 1 file'])
  })

  it('may have names that leave its folder, which are ignored', async () => {
    const names = ['../../etc/passwd', '/etc/passwd', 'C:\\x', 'a\\..\\..\\b', 'kept/file.txt']
    const zip = zipOf(names.map(name => ({ name, content: 'x' })))
    assert.deepEqual(await readZip(zip, defaultLimits), ['kept/file.txt'])
    assert.equal((await inspect('application/zip', zip)).summary, 'ZIP archive, 1 file')
  })
})
