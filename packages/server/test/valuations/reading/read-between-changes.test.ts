import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Problem, refuseWith } from '../../../src/call/problem.ts'
import type { Reader } from '../../../src/database/statement.ts'
import type { ReaderOfValuations } from '../../../src/valuations/visitors/visitor-access.ts'
import { readCompleted } from '../../../src/valuations/visitors/visitor-access.ts'
import { bakery } from '../valuation-document.ts'
import { makeVisitorWorld, type VisitorWorld } from '../visitors/visitor-fixture.ts'

let world: VisitorWorld
before(async () => {
  world = await makeVisitorWorld()
})
after(() => world.close())

const refuse = refuseWith(['not_found', 'gone', 'state_conflict'])

/** Sends each statement once the earlier one is answered, with a change before the second of them. */
function changedBetween(reader: Reader, change: () => Promise<unknown>): Reader {
  let count = 0
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Found>(send: () => Promise<Found>): Promise<Found> => {
    const found = last.then(async () => {
      if (++count === 2) await change()
      return send()
    })
    last = found
    return found
  }
  return {
    one: (statement, values) => inTurn(() => reader.one(statement, values)),
    many: (statement, values) => inTurn(() => reader.many(statement, values)),
  }
}

/** The other way round: the statement that was sent first is answered last. */
function secondFirst(reader: Reader, change: () => Promise<unknown>): Reader {
  let count = 0
  const second = Promise.withResolvers<void>()
  return {
    ...reader,
    async one(statement, values) {
      const at = ++count
      if (at === 1) await second.promise.then(change)
      const found = await reader.one(statement, values)
      if (at === 2) second.resolve()
      return found
    },
  }
}

describe('reading the calculation of a valuation', () => {
  it('that is claimed meanwhile is not found by its visitor', async () => {
    const { data, claim_token } = (await world.send(bakery({ run: true }))).body
    const { valuation_id } = data
    const { claim } = await world.claimer()
    const read = changedBetween(world.service.database.readers.unscoped, () =>
      claim({ valuation_id, claim_token }),
    )
    await assert.rejects(
      readCompleted({ standing: null, claim_token, read, refuse }, valuation_id),
      (error: unknown) => error instanceof Problem && error.code === 'not_found',
    )
  })

  it('that is completed meanwhile finds it', async () => {
    const { owner, workspace_id } = await world.claimer()
    const { data } = await owner.client.createValuation(bakery(), { workspace_id })
    const { valuation_id } = data
    const read = secondFirst(
      world.service.database.readers.scoped({ workspace_id, user_id: owner.user_id }),
      () => owner.client.runValuation({ valuation_id, expected_revision: 1 }, { workspace_id }),
    )
    const standing = { workspace_id, permissions: new Set(['valuations:read']) }
    const context = { standing, claim_token: null, read, refuse } as unknown as ReaderOfValuations & {
      refuse: typeof refuse
    }
    const { valuation, calculation } = await readCompleted(context, valuation_id)
    assert.equal(valuation.status, 'completed')
    assert.ok(calculation.length > 0)
  })
})
