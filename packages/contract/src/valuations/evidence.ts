import { T } from '../json/type.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import {
  component,
  dateTime,
  fullDate,
  id,
  linesOfText,
  nullable,
  oneOf,
  open,
  openSet,
  uuid,
  uuidCursor,
} from '../schema.ts'
import { ValuationId, valuationMutation, valuationQuery } from './valuations.ts'

/** What a piece of evidence proves. */
export const evidenceCodes = [
  'statements',
  'returns',
  'cap_table',
  'debt_schedule',
  'add_back_support',
  'comparables',
  'signatory',
] as const
export type EvidenceCode = (typeof evidenceCodes)[number]

const Evidence = component(
  'ValuationEvidence',
  open({
    evidence_id: uuid(),
    valuation_id: ValuationId,
    code: openSet(evidenceCodes),
    file_id: T.String(),
    file_version_id: T.String(),
    sha256: T.String({ description: 'The SHA-256 of the content, in hexadecimal.' }),
    pointer: nullable(T.String()),
    dated_on: fullDate(),
    known_or_knowable: T.Boolean(),
    note: nullable(T.String()),
    added_by: uuid(),
    created_at: dateTime(),
  }),
)

export const addValuationEvidence = mutation('add_valuation_evidence', {
  ...valuationMutation,
  scope: ['valuations:run', 'files:read'],
  http: 'POST /v1/valuations/{valuation_id}/evidence',
  summary: 'Add a File as evidence to a draft.',
  description:
    'The evidence is the version of the File, by its SHA-256: a later version does not change it. You need to be able to open the File. Evidence that is dated after the valuation date must have been known or knowable then.',
  input: {
    valuation_id: ValuationId,
    code: oneOf(evidenceCodes, 'What it proves.'),
    file_id: id('fil'),
    file_version_id: T.Optional(id('fvr')),
    pointer: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: '^(?:/[^\\u0000-\\u001f]{0,500})$',
        maxLength: 500,
        description: 'The part of the document that it supports, as a JSON pointer.',
        examples: ['/inputs/periods/0/income'],
      }),
    ),
    dated_on: fullDate('The date of the evidence.'),
    known_or_knowable: T.Optional(
      T.Boolean({ description: 'Whether it was known or could be known at the valuation date.' }),
    ),
    note: T.Optional(
      linesOfText(2000, { description: 'What a reader should know.', example: 'Page 3 has the totals.' }),
    ),
  },
  output: { data: Evidence },
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'limit_reached'],
  emits: ['valuation.evidence_added'],
})

export const listValuationEvidence = query('list_valuation_evidence', {
  ...valuationQuery,
  http: 'GET /v1/valuations/{valuation_id}/evidence',
  summary: 'List the evidence of a valuation.',
  input: { valuation_id: ValuationId, cursor: T.Optional(uuidCursor()), limit: T.Optional(pageLimit) },
  output: listOf(Evidence),
  problems: ['not_found'],
})
