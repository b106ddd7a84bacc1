import type { CalculationNode, Origin } from '../calculation/node.ts'
import type { EngineContext } from '../engine.ts'
import { labelOf, type Adjustment } from './statement-lines.ts'

/** The adjustments of one period as nodes. */
export interface AddBacks {
  /** Those of revenue, which change revenue too. */
  revenue: CalculationNode[]
  /** All but the pay of owners that change earnings before interest, taxes, depreciation and amortization. */
  operating: CalculationNode[]
  /** Those of depreciation and amortization, which change EBIT and not EBITDA. */
  depreciation: CalculationNode[]
  /** The pay of owners, whole, as SDE adds it back. */
  owner_gross: CalculationNode[]
  /** The pay of owners less the market pay for the same work, as EBITDA adds it back. */
  owner_net: CalculationNode[]
  /** How many owners are paid, by their names; an owner without a name counts as one. */
  owners: number
  /** Whether an adjustment concerns the pay of owners, so that the line of the statement is not added back by itself. */
  says_owner_pay: boolean
  assumptions: { sde: string[]; ebitda: string[] }
}

/** Lines below EBITDA. EBITDA adds them back whole, so an adjustment of one changes nothing in it. */
const depreciationLines: readonly string[] = ['depreciation', 'amortization']
const lineBelowEbit: readonly string[] = ['interest_expense', 'taxes']

/** The name of an owner, for comparison. */
export const ownerName = (owner: string | undefined): string =>
  (owner ?? '').normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase()

/** The nodes of the adjustments of one period. */
export function addBacksOf(context: EngineContext, key: string): AddBacks {
  const ofPeriod = (context.document.inputs.adjustments ?? []).filter(({ period }) => period === key)
  const owners = new Set<string>()
  const addBacks: AddBacks = {
    revenue: [],
    operating: [],
    depreciation: [],
    owner_gross: [],
    owner_net: [],
    owners: 0,
    says_owner_pay: false,
    assumptions: { sde: [], ebitda: [] },
  }
  for (const adjustment of ofPeriod) {
    const node = amountNode(context, adjustment)
    const { line, kind } = adjustment
    if (line === 'owner_compensation' || kind === 'owner_compensation') addBacks.says_owner_pay = true
    if (kind === 'owner_compensation') {
      owners.add(ownerName(adjustment.owner))
      addBacks.owner_gross.push(node)
      const net = netOfReplacement(context, adjustment, node)
      if (net) addBacks.owner_net.push(net)
      else
        addBacks.assumptions.ebitda.push(
          `Adjustment ${adjustment.key} gives no replacement cost, so EBITDA takes the pay of the owner as market pay and keeps it as a cost.`,
        )
      continue
    }
    if (line === 'revenue') addBacks.revenue.push(node)
    if (depreciationLines.includes(line)) addBacks.depreciation.push(node)
    else if (!lineBelowEbit.includes(line)) addBacks.operating.push(node)
  }
  addBacks.owners = owners.size
  return addBacks
}

const originOf = ({ evidence_id }: Adjustment): Origin => ({
  source: 'Stated in the valuation.',
  evidence_id: evidence_id ?? null,
})

function amountNode({ calc, document }: EngineContext, adjustment: Adjustment): CalculationNode {
  return calc.input(
    {
      id: `adjustment.${adjustment.key}`,
      label: adjustment.owner
        ? `${labelOf(adjustment.kind)} of ${adjustment.owner} (${adjustment.key})`
        : `${labelOf(adjustment.kind)} (${adjustment.key})`,
      unit: document.currency,
      ...originOf(adjustment),
    },
    adjustment.amount,
  )
}

function netOfReplacement(
  { calc, document }: EngineContext,
  adjustment: Adjustment,
  gross: CalculationNode,
): CalculationNode | null {
  const { key, replacement_cost } = adjustment
  if (replacement_cost === undefined) return null
  const unit = document.currency
  const cost = calc.input(
    {
      id: `adjustment.${key}.replacement_cost`,
      label: `Market pay for the same work (${key})`,
      unit,
      ...originOf(adjustment),
    },
    replacement_cost,
  )
  return calc.subtract({ id: `adjustment.${key}.net`, label: `${gross.label}, net`, unit }, gross, cost)
}
