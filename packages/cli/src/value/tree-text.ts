import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { StoredNode } from '@wbs/server/valuations/engine/calculation/node'
import { figureText, moneyText } from '@wbs/server/valuations/report/words/figures'
import { oneLine } from '../one-line.ts'

/**
 * The conclusion, and the calculation as an indented tree: below each figure stand those from which it follows. Figures are rounded
 * for people; the JSON has them exactly.
 */
export function treeText(
  document: ValuationDocument,
  name: string,
  result: ValuationResult,
  calculation: readonly StoredNode[],
): string {
  return `${[...opening(document, name, result), '', ...treeLines(calculation), '', ...closing(result)].join('\n')}\n`
}

function opening(
  { interest, valuation_date }: ValuationDocument,
  name: string,
  { conclusion }: ValuationResult,
) {
  const { low, point, high, per_share, level_of_value } = conclusion
  const kind = interest.kind.replaceAll('_', ' ')
  return [
    `${oneLine(name)}: ${interest.percent}% of its ${kind}, ${level_of_value.replaceAll('_', ', ')}, as of ${valuation_date}`,
    'This is a calculation by the engine, not a conclusion of value by a professional.',
    '',
    `low    ${moneyText(low)}`,
    `point  ${moneyText(point)}`,
    `high   ${moneyText(high)}`,
    ...(per_share ? [`share  ${moneyText(per_share)}`] : []),
  ]
}

/** A figure that several others use is shown in full the first time. */
function treeLines(calculation: readonly StoredNode[]): string[] {
  const shown = new Set<number>()
  const lines: string[] = []
  function add(at: number, depth: number): void {
    const node = calculation[at] as StoredNode
    const isKnown = shown.has(at)
    shown.add(at)
    const rest = isKnown && node.inputs.length > 0 ? ' (see above)' : originOf(node)
    lines.push(`${'  '.repeat(depth)}${oneLine(node.label)}: ${figureText(node.value, node.unit)}${rest}`)
    if (!isKnown) for (const input of node.inputs) add(input, depth + 1)
  }
  add(calculation.length - 1, 0)
  return lines
}

/** How a figure follows from those below it, or from where it comes. */
function originOf({ inputs, formula, source, as_of, evidence_id }: StoredNode): string {
  const origin = [source, as_of, evidence_id ? `evidence ${evidence_id}` : null].filter(Boolean).join(', ')
  return `${inputs.length > 0 && formula !== '' ? ` = ${oneLine(formula)}` : ''}${origin === '' ? '' : ` [${oneLine(origin)}]`}`
}

function closing({ checks, engine }: ValuationResult): string[] {
  const { version, benchmark_set_sha256, seed, input_hash, result_hash } = engine
  return [
    ...checks.map(({ code, period, reported, computed }) => {
      const figures = reported === null || computed === null ? '' : `: ${reported}, computed ${computed}`
      return `check: ${code}${period === null ? '' : ` in ${period}`}${figures}`
    }),
    `engine ${version}, seed ${seed}`,
    ...(benchmark_set_sha256 === null ? [] : [`benchmark_set_sha256 ${benchmark_set_sha256}`]),
    `input_hash ${input_hash}`,
    `result_hash ${result_hash}`,
  ]
}
