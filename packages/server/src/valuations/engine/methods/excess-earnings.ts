import type { MethodOf } from '@wbs/contract/valuations/methods'
import { decimal } from '../decimal.ts'
import { InvalidDocument, type MethodFunction, type MethodOutcome } from '../engine.ts'

const prefix = 'excess_earnings'

/**
 * Excess earnings: V = NTA + (E − NTA × rₜ) ÷ r꜀, where NTA are net tangible assets, E normalized earnings, rₜ the return on
 * tangible assets and r꜀ the rate at which the excess is capitalized. It only checks the other methods, because the ruling
 * allows it only where there is no better basis. Amounts are in the currency of the document, rates are fractions a year.
 * Earnings that are not above 0 reject it, and so does a value that is not above 0. Throws InvalidDocument if r꜀ is 0.
 * Source: Internal Revenue Service, Rev. Rul. 68-609, 1968-2 C.B. 327.
 *
 * The ruling has no intangible value where earnings are below the return. The formula is then computed as it stands, and gives
 * less than the net tangible assets: they do not earn their return. An assumption says so. By default it indicates a marketable
 * control value, as adjusted net assets do, from which it starts.
 */
export const excessEarnings: MethodFunction<MethodOf<'excess_earnings'>> = (context, _parts, method, at) => {
  const { calc, document } = context
  const unit = document.currency
  if (decimal(method.intangible_rate).isZero())
    throw new InvalidDocument({
      pointer: `${at}/intangible_rate`,
      code: 'out_of_range',
      detail: 'The rate at which the excess is capitalized must be above 0.',
    })
  const earnings = calc.input(
    { id: `${prefix}.earnings`, label: 'Normalized earnings', unit },
    method.earnings,
  )
  const outcome: MethodOutcome = {
    method: 'excess_earnings',
    approach: 'asset',
    basis_metric: 'earnings',
    basis: earnings,
    period: null,
    multiple: null,
    rate: null,
    base_level: method.base_level ?? 'control_marketable',
    indicates: 'equity',
    indicated: null,
    reason_rejected: null,
    is_check: true,
    checks: [],
    sources: [],
    assumptions: ['Net tangible assets are net of debt, so that excess earnings give a value of equity.'],
  }
  if (earnings.value.lessThanOrEqualTo(0))
    return { ...outcome, reason_rejected: 'The earnings are not above 0.' }
  const rate = calc.input(
    { id: `${prefix}.intangible_rate`, label: 'Rate for intangible assets', unit: 'ratio' },
    method.intangible_rate,
  )
  const assets = calc.input(
    { id: `${prefix}.net_tangible_assets`, label: 'Net tangible assets', unit },
    method.net_tangible_assets,
  )
  const fairReturn = calc.multiply(
    { id: `${prefix}.fair_return`, label: 'Return on net tangible assets', unit },
    assets,
    calc.input(
      { id: `${prefix}.tangible_return`, label: 'Rate of return on tangible assets', unit: 'ratio' },
      method.tangible_return,
    ),
  )
  const excess = calc.subtract(
    { id: `${prefix}.excess`, label: 'Excess earnings', unit },
    earnings,
    fairReturn,
  )
  const intangible = calc.divide(
    { id: `${prefix}.intangible_value`, label: 'Value of intangible assets', unit },
    excess,
    rate,
  )
  const indicated = calc.add(
    { id: `${prefix}.value`, label: 'Value by excess earnings', unit },
    assets,
    intangible,
  )
  if (indicated.value.lessThanOrEqualTo(0))
    return { ...outcome, rate, reason_rejected: 'The value by excess earnings is not above 0.' }
  const below = excess.value.isNegative() && !excess.value.isZero()
  return {
    ...outcome,
    rate,
    indicated,
    assumptions: below
      ? [
          ...outcome.assumptions,
          'The earnings are below the return on net tangible assets, so excess earnings find no value of intangible assets, and a value below net tangible assets.',
        ]
      : outcome.assumptions,
  }
}
