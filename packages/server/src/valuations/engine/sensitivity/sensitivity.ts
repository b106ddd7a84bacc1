import type { SensitivityResult } from '@wbs/contract/valuations/result'
import type { StoredNode } from '../calculation/node.ts'
import type { Decimal } from '../decimal.ts'
import { compiled } from './compiled.ts'
import { type MonteCarlo, monteCarlo } from './monte-carlo.ts'
import { gridOf, movedBy, tornadoOf } from './tornado.ts'

/**
 * What moves the conclusion. It is computed from the calculation itself with other values of its drivers, in numbers of 15 to 17
 * digits, and rounded to cents. `seed`: of the Monte Carlo draws.
 */
export function sensitivityOf(
  calculation: readonly StoredNode[],
  point: Decimal,
  { seed, currency }: { seed: number; currency: string },
): { sensitivity: SensitivityResult; draws: MonteCarlo | null } {
  const program = compiled(calculation)
  const moved = movedBy(program, point)
  const draws = monteCarlo(program, moved, seed, currency)
  const [most] = moved
  return {
    sensitivity: {
      tornado: tornadoOf(moved, currency),
      grid: gridOf(program, moved, point),
      monte_carlo: draws?.result ?? null,
      moves_most: most && !most.swing.isZero() ? most.driver.id : null,
    },
    draws,
  }
}
