import { canonicalJson } from '@wbs/contract/json/canonical-json'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { MoneyValue } from '@wbs/contract/valuations/result'
import type { StoredNode } from '../calculation/node.ts'
import { Decimal, moneyOf } from '../decimal.ts'
import { InvalidDocument, type Resolved, Unvaluable } from '../engine.ts'
import { concludeDocument } from '../value-document.ts'
import { changedHoldings } from './changed-holdings.ts'
import { type DocumentChange, documentChanges, mergedDocuments } from './document-changes.ts'
import { differingLines, type Line } from './lines.ts'

/** A completed valuation. */
export interface Compared {
  document: ValuationDocument
  /** As it was when the valuation ran. */
  resolved: Resolved
  /** As it was stored; the last node is the point of the conclusion. */
  calculation: readonly StoredNode[]
}

export interface Comparison {
  point: MoneyValue
  with_point: MoneyValue | null
  difference: MoneyValue | null
  /** `moved` is null for a change that counts together with the next one that has it. */
  changes: (DocumentChange & { moved: MoneyValue | null })[]
  lines: Line[]
  /** Why the moves are not known, or that changes count together. */
  note: string | null
}

/** The most groups of changes, so that a comparison takes no more than 40 calculations. */
const mostGroups = 39

/** The most figures that all calculations of a comparison have together, since nothing else is answered meanwhile. */
const mostFigures = 20_000

/** How many changes count together at least: more if there are many, or if one calculation takes long. */
function sizeOfGroups(changes: number, { calculation }: Compared): number {
  const affordable = Math.floor(mostFigures / Math.max(1, calculation.length))
  return Math.ceil(changes / Math.max(1, Math.min(mostGroups, affordable)))
}

/**
 * What changed from an earlier to a later valuation, and by how much each change moved the point of the conclusion, if the changes
 * are made one after the other. Changes that give no conclusion alone, such as a weight without the other weights, count together
 * with the next one. The moves add up to the difference exactly.
 */
export function compareValuations(before: Compared, after: Compared): Comparison {
  const { currency } = before.document
  const [from, to] = [before, after].map(inOneForm) as [Compared, Compared]
  const [start, end] = [pointOf(from), pointOf(to)]
  const changes = [
    ...documentChanges(from.document, to.document).filter(isOfDocument),
    ...changesAround(from, to),
  ]
  const lines = differingLines(before.calculation, after.calculation)
  const point = moneyOf(start, currency)
  const with_point = moneyOf(end, after.document.currency)
  const unknown = (difference: MoneyValue | null, note: string): Comparison => ({
    point,
    with_point,
    difference,
    changes: changes.map(change => ({ ...change, moved: null })),
    lines,
    note,
  })
  if (after.document.currency !== currency)
    return unknown(null, 'The valuations have different currencies, so their points cannot be compared.')
  const difference = differenceOf(start, end, currency)
  if (!computesTo(from, start))
    return unknown(
      difference,
      'The earlier valuation cannot be computed again as it was, because the engine or what its document names has changed since. So the moves are not known.',
    )
  const moves = movesOf(from, to, changes, [start, end])
  const isJoined = moves.some(move => move === null)
  return {
    point,
    with_point,
    difference,
    changes: changes.map((change, at) => ({ ...change, moved: moves[at] ?? null })),
    lines,
    note:
      changes.length === 0 && !start.equals(end)
        ? 'The documents are the same. The engine or what the documents name has changed between the valuations.'
        : isJoined
          ? 'A change without a move counts together with the next one that has a move.'
          : null,
  }
}

/** A move for each change; null where it counts together with the next one. */
function movesOf(
  from: Compared,
  to: Compared,
  changes: readonly DocumentChange[],
  [start, end]: [Decimal, Decimal],
): (MoneyValue | null)[] {
  const { currency } = from.document
  const moves: (MoneyValue | null)[] = changes.map(() => null)
  const groupSize = sizeOfGroups(changes.length, to)
  let last = start
  for (let count = groupSize; count < changes.length; count += groupSize) {
    const point = pointWith(from, to, count)
    if (!point) continue
    moves[count - 1] = differenceOf(last, point, currency)
    last = point
  }
  // What the last calculation has and no change explains, such as a newer engine, counts with the last change.
  if (changes.length > 0) moves[changes.length - 1] = differenceOf(last, end, currency)
  return moves
}

/** The point with the first changes. Null if there is none. */
function pointWith(from: Compared, to: Compared, count: number): Decimal | null {
  let taken = 0
  const take = (change: DocumentChange) => isOfDocument(change) && taken++ < count
  const document = mergedDocuments(
    from.document as never,
    to.document as never,
    take,
  ) as unknown as ValuationDocument
  return computed(document, from.resolved)
}

function computed(document: ValuationDocument, resolved: Resolved): Decimal | null {
  try {
    return concludeDocument(document, resolved).reconciled.point.value
  } catch (error) {
    if (error instanceof InvalidDocument || error instanceof Unvaluable) return null
    throw error
  }
}

const computesTo = ({ document, resolved }: Compared, point: Decimal) =>
  computed(document, resolved)?.equals(point) === true

/** Differences of rounded amounts, so that all moves add up to the last cent. */
const differenceOf = (from: Decimal, to: Decimal, currency: string): MoneyValue =>
  moneyOf(new Decimal(to.toFixed(2)).minus(from.toFixed(2)), currency)

const pointOf = ({ calculation }: Compared): Decimal => {
  const root = calculation.at(-1)
  if (!root) throw new Error('The calculation has no nodes.')
  return new Decimal(root.value)
}

const benchmarkPointer = '/inputs/benchmark_set_id'

/** The benchmark set counts as what was found, not as what was named: without a name, it is that of the service at the time. */
const isOfDocument = ({ pointer }: DocumentChange) => pointer !== benchmarkPointer

/** What changed in what the documents name. It is applied last, all at once. */
function changesAround({ resolved: one }: Compared, { resolved: other }: Compared): DocumentChange[] {
  const set = ({ benchmark_set: { benchmark_set_id, sha256 } }: Resolved) =>
    JSON.stringify({ benchmark_set_id, sha256 })
  const [earlier, later] = changedHoldings(one.holdings, other.holdings)
  const candidates = [
    {
      pointer: '/business_id',
      before: JSON.stringify(one.naics_code),
      after: JSON.stringify(other.naics_code),
    },
    { pointer: '/subject/id', before: JSON.stringify(earlier), after: JSON.stringify(later) },
    { pointer: benchmarkPointer, before: set(one), after: set(other) },
  ]
  return candidates.filter(({ before, after }) => before !== after)
}

/** In canonical order, without members that are null. */
function inOneForm({ document, ...rest }: Compared): Compared {
  const { run: _run, ...fields } = document as ValuationDocument & { run?: boolean }
  const text = canonicalJson(withoutNull(JSON.parse(JSON.stringify(fields))))
  return { ...rest, document: JSON.parse(String(text)) as ValuationDocument }
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNull(member)]])),
  )
}
