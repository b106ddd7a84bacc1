import { Decimal, exactText, power } from '../decimal.ts'
import { functions, type FunctionName } from './functions.ts'
import type { CalculationNode, NodeOp, Origin, StoredNode, Unit } from './node.ts'

/** What every node has besides its inputs. */
export interface Described extends Origin {
  id: string
  label: string
  unit: Unit
  formula?: string
  spread?: { low: Decimal; high: Decimal }
}

/**
 * Builds a calculation: each method computes a figure from earlier ones, and remembers how. The engine computes in no other
 * way, so that the explanation of a conclusion is the calculation itself.
 */
export interface Calculation {
  /** A figure that was given. */
  input(described: Described, value: Decimal | string): CalculationNode
  add(described: Described, ...terms: readonly CalculationNode[]): CalculationNode
  /** The first less all others. */
  subtract(described: Described, from: CalculationNode, ...less: readonly CalculationNode[]): CalculationNode
  multiply(described: Described, ...factors: readonly CalculationNode[]): CalculationNode
  /** Throws Uncomputable if the divisor is 0. */
  divide(described: Described, dividend: CalculationNode, divisor: CalculationNode): CalculationNode
  power(described: Described, base: CalculationNode, exponent: CalculationNode): CalculationNode
  /** From one level of value to another: value × (1 − discount). */
  level(described: Described, value: CalculationNode, discount: CalculationNode): CalculationNode
  lookup(described: Described, name: FunctionName, ...inputs: readonly CalculationNode[]): CalculationNode
  /** All nodes, in the order in which they were computed. */
  readonly nodes: readonly CalculationNode[]
}

const zero = new Decimal(0)
const unity = new Decimal(1)

/** A figure cannot be computed, such as a quotient of zero. */
export class Uncomputable extends Error {}

export function createCalculation(): Calculation {
  const nodes: CalculationNode[] = []
  const ids = new Set<string>()

  function add(
    op: NodeOp,
    described: Described,
    value: Decimal,
    inputs: readonly CalculationNode[],
    usual: () => string,
  ): CalculationNode {
    if (!value.isFinite()) throw new Uncomputable(`${described.label} cannot be computed.`)
    if (ids.has(described.id)) throw new Error(`The calculation has two nodes with the id ${described.id}.`)
    ids.add(described.id)
    const node: CalculationNode = { ...described, op, value, formula: described.formula ?? usual(), inputs }
    nodes.push(node)
    return node
  }
  const joined = (inputs: readonly CalculationNode[], sign: string) => () =>
    inputs.map(({ label }) => label).join(` ${sign} `)

  return {
    nodes,
    input: (described, value) => add('input', described, new Decimal(value), [], () => 'given'),
    add: (described, ...terms) =>
      add(
        'add',
        described,
        terms.reduce((sum, { value }) => sum.plus(value), zero),
        terms,
        joined(terms, '+'),
      ),
    subtract: (described, from, ...less) => {
      const value = less.reduce((rest, subtrahend) => rest.minus(subtrahend.value), from.value)
      return add('subtract', described, value, [from, ...less], joined([from, ...less], '−'))
    },
    multiply: (described, ...factors) => {
      const value = factors.reduce((product, factor) => product.times(factor.value), unity)
      return add('multiply', described, value, factors, joined(factors, '×'))
    },
    divide(described, dividend, divisor) {
      if (divisor.value.isZero())
        throw new Uncomputable(`${described.label} cannot be computed: ${divisor.label} is 0.`)
      const value = dividend.value.dividedBy(divisor.value)
      return add('divide', described, value, [dividend, divisor], joined([dividend, divisor], '÷'))
    },
    power: (described, base, exponent) =>
      add(
        'power',
        described,
        power(base.value, exponent.value),
        [base, exponent],
        joined([base, exponent], '^'),
      ),
    level: (described, value, discount) =>
      add(
        'level',
        described,
        value.value.times(unity.minus(discount.value)),
        [value, discount],
        () => `${value.label} × (1 − ${discount.label})`,
      ),
    lookup(described, name, ...inputs) {
      const value = functions[name](inputs.map(input => input.value))
      const usual = () => `${name}(${inputs.map(({ label }) => label).join(', ')})`
      const node = add('lookup', described, value, inputs, usual)
      node.lookup = name
      return node
    },
  }
}

/** The nodes from which the root follows, as they are stored. The root is the last one. */
export function storedCalculation(root: CalculationNode, nodes: readonly CalculationNode[]): StoredNode[] {
  const needed = new Set<CalculationNode>()
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    if (needed.has(node)) continue
    needed.add(node)
    open.push(...node.inputs)
  }
  const kept = nodes.filter(node => needed.has(node))
  const positions = new Map(kept.map((node, at) => [node, at]))
  return kept.map(({ value, inputs, spread, ...node }) => ({
    ...node,
    value: exactText(value),
    inputs: inputs.map(input => positions.get(input) as number),
    ...(spread && { spread: { low: exactText(spread.low), high: exactText(spread.high) } }),
  }))
}
