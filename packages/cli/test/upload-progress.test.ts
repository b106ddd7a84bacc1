import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatBytes, progressLine } from '../src/upload/progress.ts'
import { countBytes, newTally } from '../src/upload/tally.ts'

const file = (size_bytes: number) => ({ path: 'a', index_path: 'a', size_bytes })

it('the progress tells files, bytes, rate and the rest of the time', () => {
  const files = [file(3e6), file(7e6)]
  const tally = newTally({ files, failed: [], skipped: [] })
  assert.equal(progressLine(tally), '[....................] 0 of 2 files, 0 B of 10.0 MB')
  const bytes = countBytes(tally, files[1] as (typeof files)[0])
  bytes.report(2e6) // sent by an earlier run
  bytes.report(5e6)
  tally.seconds = 3
  assert.equal(
    progressLine(tally),
    '[##########..........] 0 of 2 files, 5.0 MB of 10.0 MB, 1.0 MB/s, 5 s left',
  )
  assert.equal(tally.sent_bytes, 3e6)
})

it('a file of which nothing more is sent no longer counts', () => {
  const files = [file(100), file(900)]
  const tally = newTally({ files, failed: [], skipped: [] })
  countBytes(tally, files[1] as (typeof files)[0]).end()
  assert.equal(tally.total_bytes, 100)
})

it('bytes are told in the unit that fits', () => {
  assert.deepEqual([0, 999, 1000, 1.5e6, 5.4e9].map(formatBytes), [
    '0 B',
    '999 B',
    '1.0 kB',
    '1.5 MB',
    '5.4 GB',
  ])
})
