import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { CalculationNode } from '@wbs/sdk'
import { bakery } from '../valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from '../valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())
const member = () => world.client('member')

/** What a node is, computed again from its inputs in double precision. */
const again: Record<string, (inputs: readonly number[]) => number> = {
  add: inputs => inputs.reduce((sum, one) => sum + one, 0),
  subtract: ([from = 0, ...less]) => less.reduce((rest, one) => rest - one, from),
  multiply: inputs => inputs.reduce((product, one) => product * one, 1),
  divide: ([dividend = 0, divisor = 0]) => dividend / divisor,
  power: ([base = 0, exponent = 0]) => base ** exponent,
  level: ([value = 0, discount = 0]) => value * (1 - discount),
}

function* nodesOf(node: CalculationNode): Generator<CalculationNode> {
  yield node
  for (const input of node.inputs) yield* nodesOf(input)
}

describe('the calculation of a valuation as a tree', () => {
  it('has the point of the conclusion as its root, and each value follows from its inputs', async () => {
    const { valuation_id, conclusion } = await world.completed()
    const { data: root } = await member().explainValuation({ valuation_id })
    assert.equal(Number(root.value).toFixed(2), conclusion?.point.amount)
    assert.equal(root.unit, 'USD')
    const nodes = [...nodesOf(root)]
    assert.ok(nodes.length > 10)
    for (const { op, value, inputs, label } of nodes) {
      if (op === 'input') assert.equal(inputs.length, 0, label)
      const computed = again[op]?.(inputs.map(one => Number(one.value)))
      if (computed !== undefined)
        assert.ok(Math.abs(computed - Number(value)) <= 1e-9 * Math.max(1, Math.abs(computed)), label)
    }
    const multiple = nodes.find(one => one.value === '2.51')
    assert.deepEqual([multiple?.source, multiple?.as_of], ['Broker survey', '2025-12-31'])
  })
})

describe('what moves a valuation', () => {
  it('is what its result says, the driver that moves it most first', async () => {
    const { valuation_id, result } = await world.completed()
    const { data } = await member().getValuationSensitivity({ valuation_id })
    assert.deepEqual(data, result?.sensitivity)
    const swings = data.tornado.map(one => Number(one.swing.amount))
    assert.ok(swings.length > 1)
    assert.deepEqual(
      swings,
      swings.toSorted((one, other) => other - one),
    )
    assert.equal(data.moves_most, data.tornado[0]?.driver)
  })
})

describe('the readings of a visitor', () => {
  it('are open to the token alone, and gone after 30 days', async () => {
    const { data, claim_token } = await world.service.anonymous.createValuation(bakery({ run: true }))
    const read = (path: string, headers: Record<string, string> = {}) =>
      world.service.request(`/v1/valuations/${data.valuation_id}/${path}`, { headers })
    const token = { 'svc-claim-token': String(claim_token) }
    for (const path of ['explain', 'sensitivity', 'report', 'report?format=md', 'report?format=html']) {
      assert.equal((await read(path, token)).status, 200, path)
      assert.equal((await read(path)).status, 404, path)
      assert.equal((await read(path, { 'svc-claim-token': `clm_${'A'.repeat(43)}` })).status, 404, path)
    }
    const { text } = await read('report?format=html', token)
    assert.match(text, /Calculation of value: Corner Bakery/)
    assert.ok(!text.includes(String(claim_token)))
    await world.service.sql('update visitor_valuations set expires_at = now() where id = $1', [
      data.valuation_id,
    ])
    for (const path of ['explain', 'sensitivity', 'report?format=html'])
      assert.equal((await read(path, token)).status, 410, path)
  })
})
