import type { ValuationInputs } from '@wbs/contract/valuations/inputs'
import type { DocumentFault } from '../engine.ts'
import { faultIf, isAbove, isAboveZero, sumOf, taxRateFault } from './fault.ts'

type CostOfCapital = NonNullable<ValuationInputs['cost_of_capital']>
type Equity = NonNullable<CostOfCapital['equity']>
type Beta = Extract<Equity, { beta: unknown }>['beta']

const at = '/inputs/cost_of_capital'

/** What is wrong with the cost of capital. */
export const capitalFaults = (capital: CostOfCapital | undefined): DocumentFault[] =>
  capital
    ? [
        ...(capital.equity && 'beta' in capital.equity ? betaModelFaults(capital.equity) : []),
        ...(capital.debt ? debtFaults(capital.debt) : []),
        ...faultIf(
          capital.weights !== undefined && !sumOf([capital.weights.equity, capital.weights.debt]).equals(1),
          `${at}/weights`,
          'out_of_range',
          'The weights of equity and debt must add up to 1.',
        ),
      ]
    : []

function betaModelFaults({ model, correlation, beta }: Extract<Equity, { beta: unknown }>): DocumentFault[] {
  const pointer = `${at}/equity/correlation`
  const correlationFaults =
    model === 'capm'
      ? faultIf(
          correlation !== undefined,
          pointer,
          'conflict',
          'Only total_beta has a correlation: leave it out, or use total_beta.',
        )
      : correlation === undefined
        ? faultIf(true, pointer, 'required', 'total_beta needs the correlation with the market.')
        : faultIf(
            !isAboveZero(correlation) || isAbove(correlation, '1'),
            pointer,
            'out_of_range',
            'The correlation must be above 0 and at most 1.',
          )
  return [...correlationFaults, ...betaFaults(beta, `${at}/equity/beta`)]
}

/** A levered beta is used as it is; the others are relevered, for which debt to equity and the rate of tax are needed. */
function betaFaults(beta: Beta, pointer: string): DocumentFault[] {
  const forms = (['levered', 'unlevered', 'peers'] as const).filter(form => beta[form] !== undefined)
  const [form] = forms
  if (!form || forms.length > 1)
    return faultIf(
      true,
      pointer,
      form ? 'conflict' : 'required',
      'Give exactly one of levered, unlevered and peers.',
    )
  const leverage = ['debt_equity', 'tax_rate'] as const
  const leverageFaults = leverage.flatMap(name =>
    form === 'levered'
      ? faultIf(
          beta[name] !== undefined,
          `${pointer}/${name}`,
          'conflict',
          'A levered beta is used as it is: leave this out, or give the unlevered beta.',
        )
      : faultIf(
          beta[name] === undefined,
          `${pointer}/${name}`,
          'required',
          'It is needed to relever the beta.',
        ),
  )
  const peerFaults = (beta.peers ?? []).flatMap(({ tax_rate }, index) =>
    taxRateFault(tax_rate, `${pointer}/peers/${index}/tax_rate`),
  )
  return [...leverageFaults, ...taxRateFault(beta.tax_rate, `${pointer}/tax_rate`), ...peerFaults]
}

function debtFaults({ pre_tax, tax_rate, after_tax }: NonNullable<CostOfCapital['debt']>): DocumentFault[] {
  const pointer = `${at}/debt`
  if (after_tax !== undefined)
    return faultIf(
      pre_tax !== undefined || tax_rate !== undefined,
      `${pointer}/after_tax`,
      'conflict',
      'Give pre_tax with tax_rate, or after_tax alone.',
    )
  return [
    ...faultIf(
      pre_tax === undefined,
      `${pointer}/pre_tax`,
      'required',
      'Give pre_tax with tax_rate, or after_tax.',
    ),
    ...faultIf(
      pre_tax !== undefined && tax_rate === undefined,
      `${pointer}/tax_rate`,
      'required',
      'Give the rate of tax, or the cost after_tax.',
    ),
    ...taxRateFault(tax_rate, `${pointer}/tax_rate`),
  ]
}

/** What is missing for a rate that a method takes from the cost of capital. */
export function rateSourceFaults(
  capital: CostOfCapital | undefined,
  from: 'cost_of_equity' | 'wacc',
): DocumentFault[] {
  const needs: (keyof CostOfCapital)[] =
    from === 'cost_of_equity'
      ? ['equity']
      : ['equity', 'weights', ...(owesNothing(capital) ? [] : (['debt'] as const))]
  return needs.flatMap(name =>
    faultIf(
      capital?.[name] === undefined,
      `${at}/${name}`,
      'requires',
      `A method takes its rate from ${from}, which needs it.`,
    ),
  )
}

const owesNothing = (capital: CostOfCapital | undefined): boolean =>
  capital?.weights !== undefined && !isAboveZero(capital.weights.debt)
