import type { StoredNode } from '../../engine/calculation/node.ts'
import type { ReportEvidence } from '../subject.ts'
import { dayText, figureText, none } from '../words/figures.ts'
import { figureLabel } from '../words/labels.ts'
import { shownLine } from '../words/shown-text.ts'
import { evidenceReference } from './sources.ts'

interface Line {
  depth: number
  line: string
}

/**
 * The calculation from its result down to what was given, a line for each figure. A figure that stands several times is
 * explained once: a graph as a tree may have as many lines as there are paths.
 */
export function calculationLines(nodes: readonly StoredNode[], evidence: readonly ReportEvidence[]): Line[] {
  const lines: Line[] = []
  const explained = new Set<number>()
  const open = nodes.length === 0 ? [] : [{ at: nodes.length - 1, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { at, depth } = next
    const node = nodes[at]
    if (!node) continue
    const again = explained.has(at) && node.inputs.length > 0
    lines.push({ depth, line: again ? `${headOf(node)} (explained above)` : lineOf(node, evidence) })
    if (again) continue
    explained.add(at)
    const shown = node.inputs.filter(input => !isConstant(nodes[input]))
    for (const input of shown.toReversed()) open.push({ at: input, depth: depth + 1 })
  }
  return lines
}

/** The numbers of a formula are in the formula already. */
const isConstant = (node: StoredNode | undefined): boolean =>
  node?.op === 'input' && (node.formula === 'constant' || node.source?.startsWith('A constant') === true)

const headOf = ({ label, value, unit }: StoredNode): string =>
  `${figureLabel(label)}: ${figureText(value, shownLine(unit))}`

function lineOf(node: StoredNode, evidence: readonly ReportEvidence[]): string {
  const { op, formula, source, as_of, evidence_id } = node
  const reference = evidenceReference(evidence, evidence_id)
  const origin = [
    source ? shownLine(source).replace(/\.$/, '') : '',
    as_of ? `as of ${dayText(shownLine(as_of))}` : '',
    reference === none ? '' : `evidence ${reference}`,
  ].filter(line => line !== '')
  return [
    headOf(node),
    op === 'input' || formula === node.label ? '' : ` = ${figureLabel(formula)}`,
    origin.length > 0 ? ` (${origin.join('; ')})` : '',
  ].join('')
}
