import type { Concluded } from '../conclude.ts'
import { decimal, exactText } from '../decimal.ts'

const claims = [
  ['interest_bearing_debt', 'interest-bearing debt', 'deducted', 'added'],
  ['cash', 'cash', 'added', 'deducted'],
] as const

/**
 * What the bridge assumes about what it leaves out: a method that values all capital, free of cash and debt, gives that value as
 * equity if no debt is stated, and the other way round. It names what the newest balance sheet shows instead. A portfolio has no
 * bridge.
 */
export function bridgeAssumptions({ document, reconciled }: Concluded): string[] {
  if (document.subject.type !== 'business') return []
  const target = document.interest.kind === 'equity' ? 'equity' : 'invested_capital'
  if (reconciled.used.every(({ outcome }) => outcome.indicates === target)) return []
  const values = target === 'equity' ? 'all capital to that of equity' : 'equity to that of all capital'
  const { cash, interest_bearing_debt: debt, working_capital } = document.inputs.bridge ?? {}
  const without = working_capital && (cash !== undefined || debt !== undefined)
  const missing = claims.flatMap(([line, name, ofEquity, ofCapital]) => {
    if (document.inputs.bridge?.[line] !== undefined) return []
    const way = target === 'equity' ? ofEquity : ofCapital
    return [
      `No ${name} is stated in the bridge from the value of ${values}, so none is ${way}.${shown(document, line, name)}`,
    ]
  })
  return [
    ...missing,
    ...(without
      ? [
          'The working capital is without the cash and the debt that the bridge states, so that neither counts twice.',
        ]
      : []),
  ]
}

/** What the newest balance sheet that has the line shows; nothing if that is 0. */
function shown({ inputs }: Concluded['document'], line: (typeof claims)[number][0], name: string): string {
  const [newest] = (inputs.periods ?? [])
    .flatMap(({ key, end, balance }) =>
      balance?.[line] === undefined ? [] : [{ key, end, amount: balance[line] }],
    )
    .sort((first, other) => other.end.localeCompare(first.end))
  if (!newest || decimal(newest.amount).isZero()) return ''
  return ` The balance sheet of ${newest.key} shows ${name} of ${exactText(decimal(newest.amount))}.`
}
