import { statementRows, type StatementRow } from '@wbs/contract/valuations/statements'

/** What lines are called, beside the name of the field. Folded. */
const usualNames: Readonly<Record<StatementRow, readonly string[]>> = {
  revenue: [
    'revenues',
    'total revenue',
    'total revenues',
    'net revenue',
    'net revenues',
    'sales',
    'net sales',
    'total sales',
    'total income',
    'turnover',
    'gross receipts',
    'gross receipts or sales',
    'net receipts',
  ],
  cost_of_sales: [
    'total cost of sales',
    'cost of goods sold',
    'total cost of goods sold',
    'cogs',
    'total cogs',
    'cost of revenue',
    'cost of revenues',
  ],
  operating_expenses: [
    'other operating expenses',
    'general and administrative expenses',
    'selling general and administrative',
    'selling general and administrative expenses',
    'sg and a',
    'opex',
  ],
  owner_compensation: [
    'owners compensation',
    'owner salary',
    'owners salary',
    'officer compensation',
    'officers compensation',
    'compensation of officers',
    'officer salary',
    'officer salaries',
    'officers salaries',
    'guaranteed payments',
    'guaranteed payments to partners',
  ],
  depreciation: ['depreciation expense'],
  amortization: ['amortization expense', 'amortisation'],
  interest_expense: ['interest', 'interest paid', 'total interest expense'],
  other_income: ['total other income'],
  taxes: [
    'income tax',
    'income taxes',
    'income tax expense',
    'provision for income taxes',
    'taxes on income',
  ],
  net_income: ['net income loss', 'net profit', 'net profit loss', 'net earnings', 'profit after tax'],
  ebit: ['earnings before interest and taxes'],
  tax_rate: ['income tax rate', 'effective tax rate'],
  capital_expenditure: ['capital expenditures', 'capex', 'purchases of property and equipment'],
  change_in_working_capital: ['change in net working capital', 'increase in working capital'],
  cash: ['cash and cash equivalents', 'cash and equivalents', 'total cash'],
  receivables: [
    'accounts receivable',
    'accounts receivable net',
    'total accounts receivable',
    'trade receivables',
  ],
  inventory: ['inventories', 'total inventory'],
  fixed_assets: [
    'total fixed assets',
    'net fixed assets',
    'fixed assets net',
    'property and equipment',
    'property and equipment net',
    'property plant and equipment',
    'property plant and equipment net',
  ],
  intangibles: ['intangible assets', 'total intangible assets', 'goodwill and intangible assets'],
  other_assets: ['total other assets'],
  total_assets: [],
  payables: ['accounts payable', 'total accounts payable', 'trade payables'],
  interest_bearing_debt: ['total interest bearing debt', 'total debt', 'borrowings', 'total borrowings'],
  other_liabilities: ['total other liabilities'],
  equity: [
    'total equity',
    'owners equity',
    'total owners equity',
    'shareholders equity',
    'total shareholders equity',
    'stockholders equity',
    'total stockholders equity',
    'members equity',
    'partners capital',
    'net worth',
  ],
}

const longestLabel = 200

/** A label as labels are compared: without differences of case, punctuation and spaces; & is "and". */
export const folded = (label: string): string =>
  label
    .slice(0, longestLabel)
    .normalize('NFKC')
    .slice(0, longestLabel) // One character may become eighteen.
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

const lineOfName: ReadonlyMap<string, StatementRow> = new Map(
  statementRows.flatMap(line => [folded(line), ...usualNames[line]].map(name => [name, line] as const)),
)

/** The line that is usually called so. */
export const usualLine = (label: string): StatementRow | undefined => lineOfName.get(folded(label))

/** The usual names of a line, the name of its field first. The guide lists them. */
export const namesOfLine = (line: StatementRow): string[] => [folded(line), ...usualNames[line]]
