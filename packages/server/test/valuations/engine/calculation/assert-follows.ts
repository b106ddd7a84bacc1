import assert from 'node:assert/strict'
import type { CalculationTree } from '@wbs/contract/valuations/reading'
import { functions, type FunctionName } from '../../../../src/valuations/engine/calculation/functions.ts'
import { Decimal, exactText } from '../../../../src/valuations/engine/decimal.ts'

/**
 * Fails unless the value of each node follows from the values of its inputs, as an answer shows them. It computes anew from the
 * texts, to all 34 digits. The function of a `lookup` is read from its formula.
 */
export function assertFollows(tree: CalculationTree): void {
  const inputs = tree.inputs.map(({ value }) => new Decimal(value))
  if (tree.op === 'input') assert.equal(inputs.length, 0, `${tree.id} was given, and has inputs.`)
  else
    assert.equal(tree.value, exactText(follows(tree, inputs)), `${tree.id} does not follow from its inputs.`)
  for (const input of tree.inputs) assertFollows(input)
}

function follows({ id, op, formula }: CalculationTree, inputs: Decimal[]): Decimal {
  const [first, second] = inputs
  assert.ok(first, `${id} has no inputs.`)
  if (op === 'add') return inputs.reduce((sum, one) => sum.plus(one), new Decimal(0))
  if (op === 'multiply') return inputs.reduce((product, one) => product.times(one), new Decimal(1))
  if (op === 'subtract') return inputs.slice(1).reduce((rest, one) => rest.minus(one), first)
  if (op === 'lookup') return functions[functionOf(formula)](inputs)
  assert.ok(second && inputs.length === 2, `${id} needs two inputs.`)
  if (op === 'divide') return first.dividedBy(second)
  if (op === 'power') return first.pow(second)
  assert.equal(op, 'level', `${id} has an unknown operation.`)
  return first.times(new Decimal(1).minus(second))
}

function functionOf(formula: string): FunctionName {
  const name = formula.slice(0, formula.indexOf('('))
  assert.ok(Object.hasOwn(functions, name), `The formula ${formula} names no function.`)
  return name as FunctionName
}
