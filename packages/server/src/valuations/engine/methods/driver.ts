import type { CalculationNode } from '../calculation/node.ts'
import { Decimal } from '../decimal.ts'

/**
 * Makes a figure a driver of the sensitivity, with plausible values from low to high. Two methods may use the same figure, such
 * as a discount rate: then the narrower bounds count.
 */
export function makeDriver(node: CalculationNode, low: Decimal, high: Decimal): void {
  node.spread = {
    low: node.spread ? Decimal.max(node.spread.low, low) : low,
    high: node.spread ? Decimal.min(node.spread.high, high) : high,
  }
}

/** Makes an amount a driver: ten percent below and above. */
export const makeDriverByTenth = (node: CalculationNode): void =>
  makeDriver(node, node.value.times('0.9'), node.value.times('1.1'))
