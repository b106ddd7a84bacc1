import { Visitor, type ParseResult } from 'oxc-parser'

/**
 * The names of what a function with a transaction must not use: the store, the engine, the inspection, mail, and functions that
 * ask a store or an app. What a plugin knows without its app may be used.
 */
const outside = new Set(['blobs', 'engine', 'inspector', 'mailer', 'askStore', 'callPlugin', 'fetch'])

type Program = ParseResult['program']
type Node = { type: string; start: number; end: number }
type Span = Pick<Node, 'start' | 'end'>

/**
 * The lines within functions that have a transaction, as a parameter or from their context, which name such a part: while a
 * transaction is open, nothing but PostgreSQL is waited for (docs/decisions/0047-a-transaction-waits-for-postgresql-alone.md).
 */
export function waitsIn(program: Program, lineOf: (offset: number) => number): number[] {
  const functions: Span[] = []
  const transactions: Span[] = []
  const uses: Node[] = []
  const note = (node: Span) => void functions.push({ start: node.start, end: node.end })
  new Visitor({
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
    Identifier: node => {
      if (node.name === 'tx') transactions.push(node)
      else if (outside.has(node.name)) uses.push(node)
    },
  }).visit(program)
  const withTransaction = new Set(transactions.map(transaction => innermost(functions, transaction)))
  const found = uses.filter(use =>
    functions.some(around => withTransaction.has(around) && isWithin(use, around)),
  )
  return [...new Set(found.map(({ start }) => lineOf(start)))]
}

const isWithin = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

/** The smallest function around a place. */
const innermost = (functions: readonly Span[], place: Span): Span | undefined =>
  functions
    .filter(around => isWithin(place, around))
    .reduce<Span | undefined>(
      (least, around) => (least && least.end - least.start <= around.end - around.start ? least : around),
      undefined,
    )
