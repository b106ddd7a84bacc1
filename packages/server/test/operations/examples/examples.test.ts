import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readExamples } from '@wbs/contract/openapi/examples'
import { slices } from '../samples.ts'
import { recordProblems } from './record-problems.ts'
import { recordSlice } from './record-operations.ts'
import { shapeOf } from './shape.ts'

const recorded = readExamples()
const stale = (name: string) => `the example of ${name} is stale: run npm run generate -- --examples`

describe('the recorded examples', () => {
  for (const slice of slices)
    it(`of ${slice} have the shapes of what is sent and answered today`, async () => {
      for (const [name, today] of Object.entries(await recordSlice(slice)))
        assert.deepEqual(shapeOf(recorded.operations[name]), shapeOf(today), stale(name))
    })

  it('of problems have the shapes of today', async () => {
    for (const [code, today] of Object.entries(await recordProblems()))
      assert.deepEqual(shapeOf(recorded.problems[code as 'gone']), shapeOf(today), stale(code))
  })
})
