import type { Calculation } from '../calculation/calculation.ts'
import type { CalculationNode } from '../calculation/node.ts'

/** The figures of an option model. */
export interface OptionFigures {
  /** Annual, as a ratio. */
  volatility: CalculationNode
  years: CalculationNode
  /** Continuously compounded. */
  dividend_yield: CalculationNode
}

/**
 * The discount by an average-strike put:
 * D = e^(−qT) × (N(v ÷ 2) − N(−v ÷ 2)), where v² = σ²T + ln(2 × (e^(σ²T) − σ²T − 1)) − 2 × ln(e^(σ²T) − 1).
 * As T grows, v² approaches ln 2, and D (without dividends) 32.28 percent.
 * Source: Finnerty, J. D., "An Average-Strike Put Option Model of the Marketability Discount", Journal of Derivatives 19(4), 2012,
 * pages 53-69; it corrects the formula of his paper of 2002.
 */
export function finnertyDiscount(calc: Calculation, figures: OptionFigures): CalculationNode {
  const { number, ratio, formula } = describing(calc)
  const [whole, two] = [number('1'), number('2')]
  const variance = varianceOf(calc, figures)
  const growth = calc.lookup(ratio('growth_of_variance', 'e^(σ²T)'), 'exp', variance)
  const over = calc.subtract(formula('average_term', 'e^(σ²T) − σ²T − 1'), growth, variance, whole)
  const doubled = calc.multiply(formula('doubled_average_term', '2 × (e^(σ²T) − σ²T − 1)'), two, over)
  const logOfAverage = calc.lookup(ratio('log_of_average_term', 'ln(2 × (e^(σ²T) − σ²T − 1))'), 'ln', doubled)
  const less = calc.subtract(ratio('forward_term', 'e^(σ²T) − 1'), growth, whole)
  const logOfForward = calc.lookup(ratio('log_of_forward_term', 'ln(e^(σ²T) − 1)'), 'ln', less)
  const twice = calc.multiply(
    formula('doubled_log_of_forward_term', '2 × ln(e^(σ²T) − 1)'),
    two,
    logOfForward,
  )
  const sum = calc.add(ratio('sum_of_terms', 'σ²T + ln(2 × (e^(σ²T) − σ²T − 1))'), variance, logOfAverage)
  const square = calc.subtract(ratio('ratio_variance', 'v²'), sum, twice)
  const v = calc.power({ ...ratio('ratio_volatility', 'v'), formula: '√v²' }, square, number('0.5'))
  const half = calc.divide(ratio('half_volatility', 'v ÷ 2'), v, two)
  const upper = calc.lookup(ratio('upper_probability', 'N(v ÷ 2)'), 'normal_cdf', half)
  const lower = calc.subtract(ratio('lower_probability', 'N(−v ÷ 2)'), whole, upper)
  const put = calc.subtract(ratio('put', 'N(v ÷ 2) − N(−v ÷ 2)'), upper, lower)
  return calc.multiply(
    dlom('Finnerty', '(N(v ÷ 2) − N(−v ÷ 2)) × e^(−qT)'),
    put,
    discounted(calc, 'dividends', 'e^(−qT)', figures.dividend_yield, figures.years),
  )
}

/**
 * The discount by a European put at the money, as a part of the price of the share:
 * D = e^(−rT) × N(−d₂) − e^(−qT) × N(−d₁), where d₁ = (r − q + σ² ÷ 2) × T ÷ (σ√T) and d₂ = d₁ − σ√T.
 * Source: Chaffe, D. B. H., "Option Pricing as a Proxy for Discount for Lack of Marketability in Private Company Valuations",
 * Business Valuation Review 12(4), 1993, pages 182-188; the formula of the put is that of Black and Scholes, Journal of Political
 * Economy 81(3), 1973, with the dividends of Merton, Bell Journal of Economics and Management Science 4(1), 1973.
 */
export function chaffeDiscount(
  calc: Calculation,
  figures: OptionFigures & { risk_free: CalculationNode },
): CalculationNode {
  const { number, ratio, formula } = describing(calc)
  const [whole, two] = [number('1'), number('2')]
  const { years, risk_free, dividend_yield } = figures
  const variance = varianceOf(calc, figures)
  const deviation = calc.power({ ...ratio('deviation', 'σ√T'), formula: '√(σ²T)' }, variance, number('0.5'))
  const net = calc.subtract(ratio('net_rate', 'r − q'), risk_free, dividend_yield)
  const carried = calc.multiply(formula('carry', '(r − q) × T'), net, years)
  const half = calc.divide(formula('half_variance', 'σ²T ÷ 2'), variance, two)
  const drift = calc.add(formula('drift', '(r − q + σ² ÷ 2) × T'), carried, half)
  const d1 = calc.divide({ ...ratio('d1', 'd₁'), formula: '(r − q + σ² ÷ 2) × T ÷ (σ√T)' }, drift, deviation)
  const d2 = calc.subtract(ratio('d2', 'd₂'), d1, deviation)
  const below = (id: string, label: string, d: CalculationNode) =>
    calc.subtract(
      ratio(`${id}_below`, `N(−${label})`),
      whole,
      calc.lookup(ratio(`${id}_above`, `N(${label})`), 'normal_cdf', d),
    )
  const strike = calc.multiply(
    ratio('strike', 'e^(−rT) × N(−d₂)'),
    discounted(calc, 'strike', 'e^(−rT)', risk_free, years),
    below('d2', 'd₂', d2),
  )
  const share = calc.multiply(
    ratio('share', 'e^(−qT) × N(−d₁)'),
    discounted(calc, 'dividends', 'e^(−qT)', dividend_yield, years),
    below('d1', 'd₁', d1),
  )
  return calc.subtract(dlom('Chaffe', 'e^(−rT) × N(−d₂) − e^(−qT) × N(−d₁)'), strike, share)
}

const dlom = (model: string, formula: string) => ({
  id: 'discounts.dlom',
  label: `Discount for lack of marketability (${model})`,
  unit: 'ratio',
  formula,
})

function varianceOf(calc: Calculation, { volatility, years }: OptionFigures): CalculationNode {
  const { ratio } = describing(calc)
  return calc.multiply(ratio('variance', 'σ²T'), volatility, volatility, years)
}

/** e to the power of −rate × years. */
function discounted(
  calc: Calculation,
  id: string,
  label: string,
  rate: CalculationNode,
  years: CalculationNode,
): CalculationNode {
  const { number, ratio } = describing(calc)
  const exponent = calc.multiply(ratio(`${id}_exponent`, `Exponent of ${label}`), number('-1'), rate, years)
  return calc.lookup(ratio(`${id}_factor`, label), 'exp', exponent)
}

function describing(calc: Calculation) {
  const ratio = (id: string, label: string) => ({ id: `discounts.dlom.${id}`, label, unit: 'ratio' })
  const number = (text: string): CalculationNode => {
    const id = `discounts.dlom.number.${text}`
    return (
      calc.nodes.find(node => node.id === id) ??
      calc.input({ id, label: text, unit: 'ratio', source: 'A constant of the formula.' }, text)
    )
  }
  /** A figure whose name is its formula, with the brackets that the names of its inputs do not have. */
  const formula = (id: string, label: string) => ({ ...ratio(id, label), formula: label })
  return { ratio, formula, number }
}
