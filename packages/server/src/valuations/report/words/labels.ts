import { methodNames } from '@wbs/contract/valuations/methods'
import { methodLabels } from '../../engine/method-labels.ts'
import { shownLine } from './shown-text.ts'

/** The words for the values of fields, as a report writes them. */
const labels: Readonly<Record<string, string>> = {
  // Subjects and interests
  equity: 'equity',
  assets: 'assets',
  invested_capital: 'invested capital',
  // Methods
  ...methodLabels,
  look_through: 'Look-through to the holdings',
  // Metrics
  sde: "Seller's discretionary earnings (SDE)",
  ebitda: 'Adjusted EBITDA',
  ebit: 'EBIT',
  revenue: 'Revenue',
  net_cash_flow: 'Net cash flow',
  net_assets: 'Net assets',
  earnings: 'Earnings',
  // Levels
  control_marketable: 'control, marketable',
  control_nonmarketable: 'control, nonmarketable',
  minority_marketable: 'minority, marketable',
  minority_nonmarketable: 'minority, nonmarketable',
  // Steps from a method to the conclusion
  dloc: 'Discount for lack of control (DLOC)',
  dlom: 'Discount for lack of marketability (DLOM)',
  control_premium: 'Control premium',
  cash: 'Cash',
  interest_bearing_debt: 'Debt that bears interest',
  non_operating_assets: 'Non-operating assets',
  working_capital: 'Working capital above or below the normal level',
  interest: 'Share of the interest',
  holding_discount: 'Discount of the holding',
  // Purposes
  buy_sell: 'buy-sell agreement',
  gift_estate_tax: 'gift and estate tax',
  esop: 'employee stock ownership plan (ESOP)',
  // Lines of statements
  ebit_stated: 'EBIT, as stated',
  capital_expenditure: 'Capital expenditure',
  change_in_working_capital: 'Growth of working capital',
  // Evidence
  returns: 'Tax returns',
  statements: 'Financial statements',
  cap_table: 'Capitalization table',
  debt_schedule: 'Debt schedule',
  add_back_support: 'Support of adjustments',
  comparables: 'Comparables',
  signatory: 'Signatory',
}

/** The words for a value. A value that is not known yet is shown with spaces. */
export const labelOf = (value: string): string => labels[value] ?? shownLine(value).replaceAll('_', ' ')

/** The same, with a capital letter. */
export function headingOf(value: string): string {
  const label = labelOf(value)
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** An approach: Income approach. */
export const approachOf = (approach: string): string => `${headingOf(approach)} approach`

const methodCode = new RegExp(`\\b(?:${[...methodNames, 'look_through'].join('|')})\\b`, 'g')

/** A figure as the calculation calls it, with methods by their names. */
export const figureLabel = (label: string): string =>
  shownLine(label).replaceAll(methodCode, code => labelOf(code))

/** What each check found, in a sentence. */
const checkSentences: Readonly<Record<string, string>> = {
  net_income_does_not_add_up: 'Net income is not what its lines add up to.',
  ebit_does_not_add_up: 'EBIT is not net income with interest and taxes.',
  total_assets_do_not_add_up: 'Total assets are not what their lines add up to.',
  balance_sheet_does_not_balance: 'Assets differ from liabilities and equity.',
  adjusted_line_is_negative: 'Adjustments take more from the line than it has.',
  terminal_share_above_80_percent: 'More than 80% of the value is terminal value.',
  stated_sde_differs: 'The stated SDE differs from the computed one.',
  stated_ebitda_differs: 'The stated EBITDA differs from the computed one.',
  stated_net_cash_flow_differs: 'The stated net cash flow differs from the computed one.',
  excess_earnings_differ:
    'The value by excess earnings (reported) differs from the weighted value of the other methods (computed), both before discounts and for the whole.',
}
export const checkSentence = (code: string): string => checkSentences[code] ?? headingOf(code)
