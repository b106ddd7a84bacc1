import type { TSchema } from 'typebox'
import { T } from '../json/type.ts'
import { mutation } from '../operation.ts'
import { closed, fullDate, id, oneOf, open, revision, trimmedText } from '../schema.ts'
import { balanceLines, incomeFigures, incomeLines, statementBases } from './inputs.ts'
import { Valuation, ValuationId, valuationMutation } from './valuations.ts'

/** What a File of statements can have a row for: the fields of income and balance in the document. */
export const statementRows = [...incomeLines, ...incomeFigures, ...balanceLines] as const
export type StatementRow = (typeof statementRows)[number]

/** In what the amounts of a File are. */
export const statementScales = ['units', 'thousands', 'millions'] as const

const forEachRow = <Schema extends TSchema>(schema: (line: StatementRow) => Schema) =>
  closed(Object.fromEntries(statementRows.map(line => [line, T.Optional(schema(line))])))

const label = (line: string) =>
  trimmedText({
    minLength: 1,
    maxLength: 200,
    description: `The label of the row with ${line}.`,
    example: line,
  })

export const readStatements = mutation('read_valuation_statements', {
  ...valuationMutation,
  scope: ['valuations:run', 'files:read'],
  tagged: 'r',
  http: 'POST /v1/valuations/{valuation_id}/statements',
  summary: 'Read the financial statements of a draft from a File.',
  description: `The File is a CSV file of at most 1 MiB or an XLSX workbook, with at most 1,000 rows. One row has the names of the periods, and the rows below it have a label before the first of these columns. A label is found without regard to case and punctuation: by the mapping, or by the usual names, such as Sales for revenue. Rows that are not used are reported as unmapped. The periods replace those of the draft; its other inputs stay.

Amounts may have commas between thousands, a currency sign, and a minus sign or parentheses if they are negative; an empty cell gives no figure. What can be read in two ways is an error that names the cell or the rows, and nothing changes. What does not add up is reported in the checks of the result, not repaired.`,
  input: {
    valuation_id: ValuationId,
    expected_revision: revision(),
    file_id: id('fil'),
    file_version_id: T.Optional(id('fvr')),
    sheet: T.Optional(
      T.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'The number of the sheet of a workbook, counted from 1. By default the first.',
      }),
    ),
    basis: oneOf(statementBases, 'How reliable the statements are.'),
    periods: T.Array(
      closed({
        column: trimmedText({
          minLength: 1,
          maxLength: 200,
          description: 'The name of its column.',
          example: 'FY2025',
        }),
        key: T.Unsafe<string>({
          type: 'string',
          pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
          description: 'The name of the period in the document.',
          examples: ['2025'],
        }),
        start: fullDate('Its first day.'),
        end: fullDate('Its last day.'),
        known_or_knowable: T.Optional(
          T.Boolean({
            description:
              'Whether the figures were known or could be known at the valuation date. Required to be true for a period that ends later.',
          }),
        ),
      }),
      {
        minItems: 1,
        maxItems: 12,
        description: 'The periods, each with its column.',
        examples: [[{ column: 'FY2025', key: '2025', start: '2025-01-01', end: '2025-12-31' }]],
      },
    ),
    mapping: T.Optional(
      T.Unsafe<Partial<Record<StatementRow, string>>>({
        ...forEachRow(label),
        description: 'The labels of rows that are not named as usual.',
        examples: [{ revenue: 'Sales' }],
      }),
    ),
    rows: T.Optional(
      T.Unsafe<Partial<Record<StatementRow, number>>>({
        ...forEachRow(line =>
          T.Integer({
            minimum: 1,
            maximum: 1000,
            examples: [12],
            description: `The number of the row with ${line}.`,
          }),
        ),
        description:
          'The numbers of rows, as a spreadsheet shows them, where a label stands in several rows.',
      }),
    ),
    amounts_in: T.Optional(
      oneOf(
        statementScales,
        'In what the amounts are. Required if the File speaks of thousands or millions.',
      ),
    ),
    costs_are_negative: T.Optional(
      T.Boolean({
        default: false,
        description:
          'Whether costs, taxes and capital expenditure are negative amounts in the File. Their signs are then turned.',
      }),
    ),
  },
  output: {
    data: Valuation,
    statements: open({
      file_id: T.String(),
      file_version_id: T.String(),
      sha256: T.String(),
      unmapped: T.Array(T.String({ description: 'The label of a row that was not used.' })),
    }),
  },
  status: 200,
  problems: [
    'validation_error',
    'forbidden',
    'not_found',
    'state_conflict',
    'revision_conflict',
    'unprocessable_content',
    'unavailable',
  ],
  emits: ['valuation.updated'],
})
