import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createCalculation } from '../../../../src/valuations/engine/calculation/calculation.ts'
import { decimal } from '../../../../src/valuations/engine/decimal.ts'
import { makeDriver } from '../../../../src/valuations/engine/methods/driver.ts'

it('a driver that two methods use has the narrower bounds of both, in either order', () => {
  const wide = [decimal('0.1'), decimal('0.3')] as const
  const narrow = [decimal('0.15'), decimal('0.25')] as const
  for (const bounds of [
    [wide, narrow],
    [narrow, wide],
  ]) {
    const node = createCalculation().input({ id: 'rate', label: 'Rate', unit: 'ratio' }, '0.2')
    for (const [low, high] of bounds) makeDriver(node, low, high)
    assert.deepEqual([node.spread?.low.toFixed(), node.spread?.high.toFixed()], ['0.15', '0.25'])
  }
})
