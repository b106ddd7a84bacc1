import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { changeReceipt } from '../receipts.ts'
import {
  closed,
  component,
  dateTime,
  fullDate,
  lineOfText,
  nullable,
  open,
  uuid,
  uuidCursor,
  oneOf,
} from '../schema.ts'
import { share } from './decimals.ts'
import { Source } from './source.ts'
import { multipleMetrics } from './methods.ts'

const row = {
  naics: nullable(
    T.Unsafe<string>({
      type: 'string',
      pattern: '^(?:[0-9]{2,6}|31-33|44-45|48-49)$',
      description: 'The beginning of a NAICS code (2022). Null: all industries.',
      examples: ['722'],
    }),
  ),
  size_band: nullable(
    lineOfText(60, {
      description:
        'The prices of the deals in US dollars, from the first (included) to the second (excluded): 500000-1000000, or 50000000- without an end. Also as surveys write them: <$500K, $500K-$1M, $1-2M, $50M+. Null or all: all sizes.',
      example: '500000-1000000',
    }),
  ),
  metric: oneOf(multipleMetrics, 'What the price is divided by.'),
  p25: nullable(share('The multiple below which a quarter of the deals lie. Null: not known.', '2.1')),
  p50: share('The median multiple.', '2.6'),
  p75: nullable(share('The multiple above which a quarter of the deals lie. Null: not known.', '3.2')),
  n: nullable(
    T.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'How many deals. Null: not known.',
      examples: [312],
    }),
  ),
  source: Source,
  as_of: fullDate('The date of the figure.'),
}

/** A row of a benchmark set. */
export interface BenchmarkRow {
  naics: string | null
  size_band: string | null
  metric: (typeof multipleMetrics)[number]
  p25: string | null
  p50: string
  p75: string | null
  n: number | null
  source: string
  as_of: string
}

const GivenRow = component(
  'BenchmarkRow',
  closed({
    ...row,
    naics: T.Optional(row.naics),
    size_band: T.Optional(row.size_band),
    p25: T.Optional(row.p25),
    p75: T.Optional(row.p75),
    n: T.Optional(row.n),
  }),
)

const summary = {
  benchmark_set_id: uuid(),
  name: T.String(),
  sha256: T.String({ description: 'The SHA-256 of its rows, as in RFC 8785.' }),
  row_count: T.Integer(),
  is_default: T.Boolean({ description: 'Whether it is the set of the service, which every Workspace has.' }),
  created_at: nullable(dateTime('Null for the set of the service.')),
}

const Summary = component('BenchmarkSetSummary', open(summary))
const BenchmarkSet = component('BenchmarkSet', open({ ...summary, rows: T.Array(open(row)) }))

const common = { tag: 'Benchmark sets', audience: 'workspace' } as const

/** The types of its events, and the feed that shows each. */
export const benchmarkSetEvents = { 'benchmark_set.imported': audit } as const

export const importBenchmarkSet = mutation('import_benchmark_set', {
  ...common,
  scope: 'valuations:run',
  receipt: changeReceipt,
  http: 'POST /v1/benchmark-sets',
  summary: 'Import a benchmark set.',
  description: 'It never changes. Valuations name it by its ID, and their results name its hash.',
  input: {
    name: T.Optional(lineOfText(200, { description: 'What it is.', example: 'Own deals, 2023 to 2025' })),
    rows: T.Array(GivenRow, {
      minItems: 1,
      maxItems: 2000,
      description: 'The multiples.',
      examples: [
        [
          {
            naics: '722',
            size_band: '0-500000',
            metric: 'sde',
            p50: '2.1',
            source: 'Own deals',
            as_of: '2025-12-31',
          },
        ],
      ],
    }),
  },
  output: { data: BenchmarkSet },
  status: 201,
  problems: ['validation_error', 'limit_reached'],
  emits: ['benchmark_set.imported'],
})

export const listBenchmarkSets = query('list_benchmark_sets', {
  ...common,
  scope: 'valuations:read',
  http: 'GET /v1/benchmark-sets',
  summary: 'List the benchmark sets that a Workspace can use.',
  description: 'The set of the service comes first on the first page.',
  input: { cursor: T.Optional(uuidCursor()), limit: T.Optional(pageLimit) },
  output: listOf(Summary),
  problems: [],
})

export const getBenchmarkSet = query('get_benchmark_set', {
  ...common,
  scope: 'valuations:read',
  http: 'GET /v1/benchmark-sets/{benchmark_set_id}',
  summary: 'Retrieve a benchmark set with its rows.',
  input: { benchmark_set_id: uuid('The ID of the benchmark set.') },
  output: { data: BenchmarkSet },
  problems: ['not_found'],
})
