import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createEngineThreads } from '../../src/valuations/engine-threads/engine-threads.ts'
import { contextOf, documentWith } from './engine/engine-context.ts'

describe('the threads of the engine', () => {
  const engine = createEngineThreads()
  after(() => engine.close())

  it('take no order whose client has gone', async () => {
    const gone = AbortSignal.abort(new Error('It has gone.'))
    const { document, resolved } = contextOf(documentWith())
    const asked = { workspace_id: 'a', document, resolved, judge: true, run: null }
    const compared = { document, resolved, calculation: [] }
    await assert.rejects(engine.value(asked, gone), /It has gone/)
    await assert.rejects(engine.compare('a', compared, compared, gone), /It has gone/)
    assert.deepEqual(engine.usage(), { running: 0, waiting: 0 })
  })
})
