import type { CostOfCapital } from '@wbs/contract/valuations/cost-of-capital'
import type { Static } from 'typebox'
import type { CalculationNode } from '../calculation/node.ts'
import { InvalidDocument, type EngineContext } from '../engine.ts'
import { afterTax, given } from './given.ts'

type Equity = NonNullable<Static<typeof CostOfCapital>['equity']>
type Beta = Extract<Equity, { model: 'capm' | 'total_beta' }>['beta']

const pointer = '/inputs/cost_of_capital/equity/beta'

const ratio = (id: string, label: string) => ({ id: `cost_of_capital.${id}`, label, unit: 'ratio' })

/**
 * The levered beta of the subject: as given; or an unlevered one relevered with the debt and the tax rate of the subject; or the
 * mean of the unlevered betas of peers, relevered in the same way. Throws InvalidDocument if what relevering needs is missing.
 */
export function betaOf(context: EngineContext, beta: Beta): CalculationNode {
  const { calc } = context
  if (beta.levered !== undefined) return given(calc, 'beta', 'Beta', beta.levered)
  if (beta.unlevered !== undefined)
    return relevered(context, given(calc, 'unlevered_beta', 'Unlevered beta', beta.unlevered), beta)
  if (beta.peers) return relevered(context, meanOfPeers(context, beta.peers), beta)
  throw new InvalidDocument({
    pointer,
    code: 'requires',
    detail: 'A beta needs levered, unlevered or peers.',
  })
}

/**
 * Levered beta = unlevered beta × (1 + (1 − tax rate) × debt ÷ equity).
 * Source: Hamada, R., "The Effect of the Firm's Capital Structure on the Systematic Risk of Common Stocks", Journal of Finance
 * 27(2), 1972.
 */
function relevered(context: EngineContext, unlevered: CalculationNode, beta: Beta): CalculationNode {
  const { debt_equity, tax_rate } = beta
  if (debt_equity === undefined || tax_rate === undefined)
    throw new InvalidDocument({
      pointer: `${pointer}/${debt_equity === undefined ? 'debt_equity' : 'tax_rate'}`,
      code: 'requires',
      detail: 'An unlevered beta needs debt_equity and tax_rate of the subject, with which it is relevered.',
    })
  const factor = leverageFactor(context, { name: 'leverage', at: pointer }, { debt_equity, tax_rate })
  return context.calc.multiply(ratio('beta', 'Beta'), unlevered, factor)
}

/** The mean of the unlevered betas of peers: levered beta ÷ (1 + (1 − tax rate) × debt ÷ equity). Source: Hamada (1972). */
function meanOfPeers(context: EngineContext, peers: NonNullable<Beta['peers']>): CalculationNode {
  const { calc } = context
  const unlevered = peers.map((peer, at) => {
    const name = `peer.${at + 1}`
    return calc.divide(
      ratio(`${name}.unlevered_beta`, `Unlevered beta of peer ${at + 1}`),
      given(calc, `${name}.levered_beta`, `Levered beta of peer ${at + 1}`, peer.levered),
      leverageFactor(context, { name, at: `${pointer}/peers/${at}` }, peer),
    )
  })
  const sum = calc.add(ratio('peers.sum', 'Sum of the unlevered betas'), ...unlevered)
  const count = given(calc, 'peers.count', 'Number of peers', String(peers.length))
  return calc.divide(ratio('unlevered_beta', 'Unlevered beta'), sum, count)
}

/** 1 + (1 − tax rate) × debt ÷ equity. `at`: the pointer of the object that has both. */
function leverageFactor(
  { calc }: EngineContext,
  { name, at }: { name: string; at: string },
  { debt_equity, tax_rate }: { debt_equity: string; tax_rate: string },
): CalculationNode {
  const { one, kept } = afterTax(calc, name, tax_rate, `${at}/tax_rate`)
  const debt = calc.multiply(
    ratio(`${name}.debt`, 'Debt to equity after taxes'),
    kept,
    given(calc, `${name}.debt_equity`, 'Debt to equity', debt_equity),
  )
  return calc.add(ratio(`${name}.factor`, 'Leverage factor'), one, debt)
}
