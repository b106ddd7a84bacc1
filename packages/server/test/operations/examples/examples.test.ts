import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readExamples } from '@wbs/contract/openapi/examples'
import { startTestService, type TestService } from '../../harness/service.ts'
import { slices, type Slice } from '../samples.ts'
import { recordProblems } from './record-problems.ts'
import { recordSlice } from './record-operations.ts'
import { shapeOf } from './shape.ts'

const recorded = readExamples()
const stale = (name: string) => `the example of ${name} is stale: run npm run generate -- --examples`

describe('the recorded examples', () => {
  let shared: TestService
  before(async () => void (shared = await startTestService()))
  after(() => shared.close())

  /** What these find depends on all published Businesses, those of other worlds included. */
  const searching = new Set<Slice>(['businesses', 'lists'])

  for (const slice of slices)
    it(`of ${slice} have the shapes of what is sent and answered today`, async () => {
      const service = searching.has(slice) ? await startTestService() : shared
      for (const [name, today] of Object.entries(await recordSlice(service, slice)))
        assert.deepEqual(shapeOf(recorded.operations[name]), shapeOf(today), stale(name))
      if (service !== shared) await service.close()
    })

  it('of problems have the shapes of today', async () => {
    for (const [code, today] of Object.entries(await recordProblems()))
      assert.deepEqual(shapeOf(recorded.problems[code as 'gone']), shapeOf(today), stale(code))
  })
})
