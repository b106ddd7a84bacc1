import type { StoredNode } from '../calculation/node.ts'
import { exp, ln, median, normalCdf, power } from './doubles.ts'

/** A calculation in numbers. */
export interface Graph {
  nodes: readonly StoredNode[]
  /** The value of each node. */
  base: Float64Array
  /** For each node the nodes that it is an input of. */
  consumers: readonly (readonly number[])[]
}

export function graphOf(nodes: readonly StoredNode[]): Graph {
  const consumers: number[][] = nodes.map(() => [])
  for (const [at, { inputs }] of nodes.entries()) for (const input of inputs) consumers[input]?.push(at)
  return { nodes, base: Float64Array.from(nodes, ({ value }) => Number(value)), consumers }
}

/** The steps that follow from some drivers, in arrays of numbers, since they are carried out thousands of times. */
export interface Program {
  base: Float64Array
  /** The node that each step computes. */
  at: Int32Array
  /** What each step does. */
  codes: Int32Array
  /** Where the inputs of each step begin; one more than there are steps. */
  starts: Int32Array
  inputs: Int32Array
}

const code = {
  given: 0,
  add: 1,
  subtract: 2,
  multiply: 3,
  divideByPositive: 4,
  divideByNegative: 5,
  power: 6,
  level: 7,
  exp: 8,
  ln: 9,
  normal_cdf: 10,
  median: 11,
  minimum: 12,
  maximum: 13,
} as const

/** Only what follows from the drivers is computed again. `drivers`: their positions. */
export function programOf({ nodes, base, consumers }: Graph, drivers: readonly number[]): Program {
  const following = new Set<number>()
  const open = drivers.flatMap(at => consumers[at] ?? [])
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (following.has(at)) continue
    following.add(at)
    open.push(...(consumers[at] ?? []))
  }
  const steps = [...new Set([...drivers, ...following])].sort((one, other) => one - other)
  const inputsOf = (at: number) => (following.has(at) ? (nodes[at]?.inputs ?? []) : [])
  const starts = [0]
  for (const at of steps) starts.push((starts.at(-1) as number) + inputsOf(at).length)
  return {
    base,
    at: Int32Array.from(steps),
    codes: Int32Array.from(steps, at =>
      following.has(at) ? codeOf(nodes[at] as StoredNode, base) : code.given,
    ),
    starts: Int32Array.from(starts),
    inputs: Int32Array.from(steps.flatMap(inputsOf)),
  }
}

function codeOf({ op, lookup, inputs }: StoredNode, base: Float64Array): number {
  if (op === 'divide')
    return (base[inputs[1] as number] as number) > 0 ? code.divideByPositive : code.divideByNegative
  if (op !== 'lookup' && op !== 'input') return code[op]
  if (!lookup) throw new Error('An input follows from nothing, and a lookup names its function.')
  return code[lookup]
}

/** Carries out the steps. `values` gets the value of each node that follows; `shifts` is added to each node. */
export function carryOut(
  { base, at, codes, starts, inputs }: Program,
  values: Float64Array,
  shifts: Float64Array,
): void {
  const of = (input: number) => values[inputs[input] as number] as number
  for (let step = 0; step < at.length; step++) {
    const node = at[step] as number
    const start = starts[step] as number
    const end = starts[step + 1] as number
    let value = start === end ? (base[node] as number) : of(start)
    switch (codes[step]) {
      case code.given:
        break
      case code.add:
        for (let n = start + 1; n < end; n++) value += of(n)
        break
      case code.subtract:
        for (let n = start + 1; n < end; n++) value -= of(n)
        break
      case code.multiply:
        for (let n = start + 1; n < end; n++) value *= of(n)
        break
      case code.divideByPositive:
        value = of(start + 1) > 0 ? value / of(start + 1) : NaN
        break
      case code.divideByNegative:
        value = of(start + 1) < 0 ? value / of(start + 1) : NaN
        break
      case code.power:
        value = power(value, of(start + 1))
        break
      case code.level:
        value *= 1 - of(start + 1)
        break
      case code.exp:
        value = exp(value)
        break
      case code.ln:
        value = ln(value)
        break
      case code.normal_cdf:
        value = normalCdf(value)
        break
      default:
        value = summarized(
          codes[step] as number,
          Array.from(inputs.subarray(start, end), one => values[one] as number),
        )
    }
    values[node] = value + (shifts[node] as number)
  }
}

function summarized(name: number, values: number[]): number {
  if (name === code.median) return median(values)
  const isBetter =
    name === code.minimum
      ? (one: number, best: number) => one < best
      : (one: number, best: number) => one > best
  return values.reduce((best, one) => (isBetter(one, best) ? one : best))
}
