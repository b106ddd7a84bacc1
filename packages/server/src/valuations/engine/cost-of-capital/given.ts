import type { Calculation } from '../calculation/calculation.ts'
import type { CalculationNode } from '../calculation/node.ts'
import { decimal } from '../decimal.ts'
import { InvalidDocument } from '../engine.ts'

/** A figure of the cost of capital that the document gives. */
export const given = (calc: Calculation, name: string, label: string, value: string): CalculationNode =>
  calc.input({ id: `cost_of_capital.${name}`, label, unit: 'ratio' }, value)

/** The constant 1 of a formula. */
const unity = (calc: Calculation, name: string): CalculationNode =>
  calc.input({ id: `cost_of_capital.${name}`, label: '1', unit: 'ratio', formula: 'constant' }, '1')

/**
 * 1 and 1 − tax rate, for what debt costs after taxes. `pointer`: of the tax rate in the document. Throws InvalidDocument if the
 * rate is above 1.
 */
export function afterTax(
  calc: Calculation,
  name: string,
  taxRate: string,
  pointer: string,
): { one: CalculationNode; kept: CalculationNode } {
  if (decimal(taxRate).greaterThan(1))
    throw new InvalidDocument({
      pointer,
      code: 'out_of_range',
      detail: 'A tax rate must be at most 1: 0.25 is 25 percent.',
    })
  const all = unity(calc, `${name}.one`)
  const described = { id: `cost_of_capital.${name}.after_tax`, label: 'After-tax share', unit: 'ratio' }
  const kept = calc.subtract(described, all, given(calc, `${name}.tax_rate`, 'Tax rate', taxRate))
  return { one: all, kept }
}
