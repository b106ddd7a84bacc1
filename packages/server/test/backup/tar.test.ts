import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { endOfTar, readTar, tarEntry, tarHeader, tarPadding } from '../../src/backup/tar.ts'
import { isFullProof, proofRuns } from '../harness/proof.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const at = new Date('2026-01-01T00:00:00Z')
const longName = `blobs/0198c0de-0000-7000-8000-000000000000/${'a'.repeat(64)}`

/** A header that says a size as those of larger entries do. */
function inBinary(size: number): Buffer {
  const header = tarHeader(longName, 8 * GiB, at)
  header.writeBigUInt64BE(BigInt(size), 128)
  header.fill(' ', 148, 156)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(7, '0')}\0`, 148)
  return header
}

/** The content of an entry that is too large to be held. */
async function* zeros(size: number): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(4 * 1024 * 1024)
  for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, left)
}

describe('a tar archive', () => {
  for (const size of [0, 1, 511, 512, 5 * GiB, 8 * GiB - 1, 8 * GiB, 8 * GiB + 1, 3000 * GiB])
    it(`says that an entry has ${size} bytes`, async () => {
      const entries = readTar(pieces([tarHeader(longName, size, at)]))
      const { value } = await entries.next()
      assert.deepEqual([value?.name, value?.size], [longName, size])
      await entries.return(undefined)
    })

  it('is read past an entry whose size is not in octal digits', { timeout: 300_000 }, async () => {
    const size = proofRuns({ full: 8 * GiB, short: 8 * MiB }) + 1
    async function* archive() {
      yield isFullProof ? tarHeader(longName, size, at) : inBinary(size)
      yield* zeros(size)
      yield tarPadding(size)
      yield* tarEntry('after', Buffer.from('all there'), at)
      yield endOfTar
    }
    const read: [string, number][] = []
    for await (const { name, content } of readTar(archive())) {
      let bytes = 0
      for await (const piece of content) bytes += piece.length
      read.push([name, bytes])
    }
    assert.deepEqual(read, [
      [longName, size],
      ['after', 9],
    ])
  })

  const skip = spawnSync('tar', ['--version']).error !== undefined && 'tar is not installed'
  it('is one that tar reads too', { skip }, async context => {
    const file = join(await temporaryFolder(context), 'archive.tar')
    const size = 9 * GiB
    await using handle = await open(file, 'w')
    await handle.write(tarHeader(longName, size, at))
    // The content is a hole in the file, which takes no space.
    await handle.truncate(512 + size)
    const rest = Buffer.concat([...tarEntry('after', Buffer.from('all there'), at), endOfTar])
    await handle.write(rest, 0, rest.length, 512 + size)
    const { stdout } = await promisify(execFile)('tar', ['-tvf', file])
    const lines = stdout.trim().split('\n')
    assert.match(lines[0] ?? '', new RegExp(`${size} .* ${longName}$`))
    assert.match(lines[1] ?? '', / 9 .* after$/)
    assert.equal((await promisify(execFile)('tar', ['-xOf', file, 'after'])).stdout, 'all there')
  })

  it('skips what is not read of an entry', async () => {
    const bytes = [
      ...tarEntry('one', Buffer.alloc(1500, 1), at),
      ...tarEntry('two', Buffer.from('2'), at),
      endOfTar,
    ]
    const names: string[] = []
    for await (const { name, content } of readTar(pieces(bytes))) {
      names.push(name)
      for await (const _ of content) break
    }
    assert.deepEqual(names, ['one', 'two'])
  })

  it('refuses a name that has no place', () => {
    assert.throws(() => tarHeader('a'.repeat(101), 0, at), /is too long a name for an archive/)
    assert.throws(() => tarHeader(`${'a'.repeat(156)}/b`, 0, at), /is too long a name for an archive/)
  })
})

async function* pieces(all: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of all) {
    await Promise.resolve()
    yield piece
  }
}
