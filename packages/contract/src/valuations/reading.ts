import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import { query } from '../operation.ts'
import { component, nullable, oneOf, open, openSet } from '../schema.ts'
import { Conclusion, Money, nodeOps, Sensitivity } from './result.ts'
import { ValuationId, valuationQuery } from './valuations.ts'

const reading = { ...valuationQuery, problems: ['not_found', 'state_conflict', 'gone'] } as const

/** A figure of the calculation, and the figures from which it follows. */
export interface CalculationTree {
  id: string
  label: string
  op: (typeof nodeOps)[number]
  value: string
  unit: string
  formula: string
  source?: string | null
  as_of?: string | null
  evidence_id?: string | null
  inputs: CalculationTree[]
}

/** Readings that compute: each takes the process up to a second, in which it answers nobody else. */
const computed = { limits: ['read', 'run'] } as const

const TreeNode = T.Unsafe<CalculationTree>(
  component(
    'CalculationNode',
    open({
      id: T.String(),
      label: T.String(),
      op: openSet(nodeOps),
      value: T.String({ description: 'A decimal string, exact to 34 significant digits.' }),
      unit: T.String({ description: 'A currency, ratio, multiple, years or shares.' }),
      formula: T.String(),
      source: T.Optional(nullable(T.String())),
      as_of: T.Optional(nullable(T.String())),
      evidence_id: T.Optional(nullable(T.String())),
      inputs: T.Array(T.Unsafe<CalculationTree>({ $ref: '#/components/schemas/CalculationNode' })),
    }),
  ),
)

export const explainValuation = query('explain_valuation', {
  ...reading,
  http: 'GET /v1/valuations/{valuation_id}/explain',
  summary: 'Show the calculation of a completed valuation as a tree.',
  description: 'The root is the point of the conclusion. The value of each node follows from its inputs.',
  visitors: true,
  input: { valuation_id: ValuationId },
  output: { data: TreeNode },
})

export const getValuationSensitivity = query('get_valuation_sensitivity', {
  ...reading,
  http: 'GET /v1/valuations/{valuation_id}/sensitivity',
  summary: 'Show what moves the conclusion of a completed valuation.',
  visitors: true,
  input: { valuation_id: ValuationId },
  output: { data: Sensitivity },
})

const Change = open({
  pointer: T.String({ description: 'What changed in the document, as a JSON pointer.' }),
  before: nullable(T.String({ description: 'The earlier value, as JSON. Null if there was none.' })),
  after: nullable(T.String({ description: 'The later value, as JSON. Null if there is none.' })),
  moved: nullable(Money),
})

export const compareValuations = query('compare_valuations', {
  ...reading,
  ...computed,
  http: 'GET /v1/valuations/{valuation_id}/compare',
  summary: 'Compare two completed valuations line by line.',
  description:
    'What changed in the documents and by how much each change moved the point of the conclusion, if the changes are made one after the other; then the lines of both calculations that differ. The moves add up to the difference.',
  input: {
    valuation_id: ValuationId,
    with: T.Unsafe<`val_${string}`>({
      ...ValuationId,
      description: 'The valuation to compare with: the later one.',
    }),
  },
  output: {
    data: open({
      valuation_id: ValuationId,
      with: ValuationId,
      point: Money,
      with_point: nullable(Money),
      difference: nullable(Money),
      changes: T.Array(Change),
      lines: T.Array(
        open({
          id: T.String(),
          label: T.String(),
          unit: T.String(),
          before: nullable(T.String()),
          after: nullable(T.String()),
          difference: nullable(T.String()),
        }),
      ),
      note: nullable(T.String({ description: 'Why the moves are not known, if they are not.' })),
    }),
  },
  problems: ['validation_error', 'not_found', 'state_conflict'],
})

export const chartKinds = ['ranges', 'tornado', 'columns', 'waterfall'] as const

const Bar = open({
  label: T.String(),
  group: nullable(
    T.String({
      description:
        'In columns, the figure that it shows. In a waterfall total, rise or fall. Null in the other charts.',
    }),
  ),
  low: T.String({ description: 'Where the bar begins. A decimal string, in the currency of the report.' }),
  point: nullable(T.String({ description: 'The figure that it is about.' })),
  high: T.String({ description: 'Where the bar ends.' }),
})

const Block = component(
  'ValuationReportBlock',
  open({
    kind: openSet(['text', 'list', 'table', 'chart']),
    title: nullable(T.String()),
    text: T.Optional(T.String({ description: 'Of a text: its paragraphs, each on a line of its own.' })),
    items: T.Optional(T.Array(T.String(), { description: 'Of a list.' })),
    depths: T.Optional(
      T.Array(T.Integer(), {
        description: 'How deep each item is below the first. Without it, all items are at one depth.',
      }),
    ),
    columns: T.Optional(T.Array(T.String(), { description: 'Of a table, and of the table beside a chart.' })),
    rows: T.Optional(T.Array(T.Array(T.String()), { description: 'Their cells, as people read them.' })),
    chart: T.Optional(openSet(chartKinds)),
    series: T.Optional(T.Array(Bar)),
  }),
)

/** The report of a valuation. */
export const Report = component(
  'ValuationReport',
  open({
    valuation_id: nullable(ValuationId),
    title: T.String(),
    notice: T.String({
      description: 'What the report is: whether a person signed it, or whether only the engine calculated.',
    }),
    is_signed: T.Boolean(),
    valuation_date: T.String(),
    currency: T.String(),
    conclusion: Conclusion,
    sections: T.Array(open({ code: T.String(), title: T.String(), blocks: T.Array(Block) })),
  }),
)
export type ReportData = Static<typeof Report>
export type ReportSection = ReportData['sections'][number]
export type ReportBlock = Static<typeof Block>
export type ReportBar = Static<typeof Bar>

export const getValuationReport = query('get_valuation_report', {
  ...reading,
  ...computed,
  http: 'GET /v1/valuations/{valuation_id}/report',
  summary: 'Retrieve the report of a completed valuation.',
  description:
    'Its sections are those of AICPA VS 100 paragraph .51. As json it is data; as md or html it is content to save, of the type text/markdown or text/html, with charts in the HTML.',
  visitors: true,
  answers: 'either',
  content_types: ['text/markdown', 'text/html'],
  input: {
    valuation_id: ValuationId,
    format: T.Optional(oneOf(['json', 'md', 'html'], 'By default json.')),
  },
  output: { data: Report },
})
