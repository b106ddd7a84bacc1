import type { StoredNode } from '../calculation/node.ts'
import { exp, ln, median, normalCdf, power } from './doubles.ts'

/**
 * Computes a row of a table from other rows, in the first `count` columns. `out` and `inputs`: where the rows begin. NaN where the
 * figure means nothing.
 */
export type Operation = (table: Float64Array, out: number, inputs: readonly number[], count: number) => void

/** What computes a node again. `base`: the value of each node. */
export function operationOf({ op, lookup, inputs }: StoredNode, base: Float64Array): Operation {
  if (op === 'divide') return (base[inputs[1] as number] as number) > 0 ? divideByPositive : divideByNegative
  if (op !== 'lookup' && op !== 'input') return operations[op]
  if (!lookup) throw new Error('An input follows from nothing, and a lookup names its function.')
  return operations[lookup]
}

const add: Operation = (table, out, [first = 0, ...terms], count) => {
  table.copyWithin(out, first, first + count)
  for (const term of terms)
    for (let n = 0; n < count; n++) table[out + n] = of(table, out + n) + of(table, term + n)
}

const subtract: Operation = (table, out, [from = 0, ...less], count) => {
  table.copyWithin(out, from, from + count)
  for (const subtrahend of less)
    for (let n = 0; n < count; n++) table[out + n] = of(table, out + n) - of(table, subtrahend + n)
}

const multiply: Operation = (table, out, [first = 0, ...factors], count) => {
  table.copyWithin(out, first, first + count)
  for (const factor of factors)
    for (let n = 0; n < count; n++) table[out + n] = of(table, out + n) * of(table, factor + n)
}

// A divisor that changes its sign has passed 0, where the figure means nothing, such as a discount rate at the growth.
const divideByPositive: Operation = (table, out, [dividend = 0, divisor = 0], count) => {
  for (let n = 0; n < count; n++)
    table[out + n] = of(table, divisor + n) > 0 ? of(table, dividend + n) / of(table, divisor + n) : NaN
}

const divideByNegative: Operation = (table, out, [dividend = 0, divisor = 0], count) => {
  for (let n = 0; n < count; n++)
    table[out + n] = of(table, divisor + n) < 0 ? of(table, dividend + n) / of(table, divisor + n) : NaN
}

const level: Operation = (table, out, [value = 0, discount = 0], count) => {
  for (let n = 0; n < count; n++) table[out + n] = of(table, value + n) * (1 - of(table, discount + n))
}

const powers: Operation = (table, out, [base = 0, exponent = 0], count) => {
  for (let n = 0; n < count; n++) table[out + n] = power(of(table, base + n), of(table, exponent + n))
}

const ofOne =
  (compute: (x: number) => number): Operation =>
  (table, out, [x = 0], count) => {
    for (let n = 0; n < count; n++) table[out + n] = compute(of(table, x + n))
  }

const ofMany =
  (compute: (values: number[]) => number): Operation =>
  (table, out, inputs, count) => {
    for (let n = 0; n < count; n++) table[out + n] = compute(inputs.map(input => of(table, input + n)))
  }

const operations = {
  add,
  subtract,
  multiply,
  level,
  power: powers,
  exp: ofOne(exp),
  ln: ofOne(ln),
  normal_cdf: ofOne(normalCdf),
  median: ofMany(median),
  // What is not a number is not the least or the greatest unless it stands first.
  minimum: ofMany(values => values.reduce((least, value) => (value < least ? value : least))),
  maximum: ofMany(values => values.reduce((greatest, value) => (value > greatest ? value : greatest))),
}

const of = (table: Float64Array, place: number): number => table[place] as number
