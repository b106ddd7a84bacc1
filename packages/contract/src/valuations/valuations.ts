import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import { audit, place } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { changeReceipt } from '../receipts.ts'
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
  revision,
  uuid,
} from '../schema.ts'
import { stateMachine } from '../state-machine.ts'
import {
  BusinessOfValuation,
  documentChanges,
  documentFields,
  engagementTypes,
  purposes,
  subjectTypes,
} from './document.ts'
import { Conclusion, Result } from './result.ts'

export const valuationIdPattern = '^val_[0-9a-f]{32}$'

const valuationIdText = (description: string) =>
  T.Unsafe<`val_${string}`>({ type: 'string', pattern: valuationIdPattern, description })

export const ValuationId = valuationIdText('The ID of a valuation: val_ and 32 lowercase hexadecimal digits.')

const statuses = ['draft', 'running', 'completed', 'failed'] as const
export type ValuationStatus = (typeof statuses)[number]

/** The engine runs inside the request, so nobody sees a valuation while it is running. */
export const valuationMachine = stateMachine(['draft', 'completed'], 'draft', {
  update: { draft: 'draft' },
  add_evidence: { draft: 'draft' },
  run: { draft: 'completed' },
  revise: { completed: 'completed' },
  sign: { completed: 'completed' },
})

/** A guest's valuation, until it is in a Workspace. */
export const visitorValuationMachine = stateMachine(['unclaimed', 'claimed', 'expired'], 'unclaimed', {
  claim: { unclaimed: 'claimed' },
  expire: { unclaimed: 'expired' },
})

const MissingEvidence = open({
  code: T.String(),
  pointer: T.String(),
  detail: T.String(),
  accepted: T.Array(T.String()),
})

const summaryFields = {
  valuation_id: ValuationId,
  workspace_id: nullable(uuid('Null while nobody has claimed the valuation of a guest.')),
  business_id: BusinessOfValuation,
  subject: open({ type: openSet(subjectTypes), id: nullable(T.String()), name: nullable(T.String()) }),
  engagement_type: openSet(engagementTypes),
  purpose: openSet(purposes),
  valuation_date: fullDate(),
  currency: T.String(),
  status: openSet(statuses),
  conclusion: nullable(Conclusion),
  supersedes_id: nullable(valuationIdText('The valuation that this one replaces.')),
  superseded_by_id: nullable(valuationIdText('The valuation that replaces this one.')),
  is_signed: T.Boolean(),
  revision: T.Integer(),
  created_by: nullable(open({ type: openSet(['user']), id: uuid() })),
  created_at: dateTime(),
  updated_at: dateTime(),
  completed_at: nullable(dateTime()),
  claimed_at: nullable(dateTime()),
}

/** A valuation in a list. */
export const ValuationSummary = component('ValuationSummary', open(summaryFields))

export const Valuation = component(
  'Valuation',
  open({
    ...summaryFields,
    standard_of_value: T.String(),
    premise_of_value: T.String(),
    level_of_value: T.String(),
    interest: open({ percent: T.String(), kind: T.String() }),
    inputs: T.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'As they were given.',
    }),
    methods: T.Array(T.Unsafe<object>({ type: 'object', additionalProperties: true })),
    weights: nullable(T.Unsafe<object>({ type: 'object', additionalProperties: true })),
    result: nullable(Result),
    missing_evidence: T.Array(MissingEvidence, {
      description: 'What is missing before it can run. Empty unless it is a draft.',
    }),
    signature: nullable(
      open({
        signed_by: open({ user_id: uuid(), name: nullable(T.String()) }),
        signed_at: dateTime(),
        statement: T.String(),
        qualifications: T.String(),
        result_hash: T.String({ description: 'The hash of the result that was signed.' }),
      }),
    ),
  }),
)
export type ValuationRecord = Static<typeof Valuation>

const common = { tag: 'Valuations', audience: 'workspace' } as const

/** What every query of valuations declares. */
export const valuationQuery = { ...common, scope: 'valuations:read' } as const

/** What every change of valuations declares. */
export const valuationMutation = {
  ...common,
  scope: 'valuations:run',
  receipt: changeReceipt,
  tagged: 'r',
} as const

const ofValuation = { engagement_type: openSet(engagementTypes) }
/** In the feed of every Room of its Business, else in the audit log. Guests see them, so they have no figures. */
export const valuationEvents = {
  'valuation.created': audit,
  'valuation.updated': audit,
  'valuation.evidence_added': audit,
  'valuation.signed': audit,
  'valuation.claimed': place(ofValuation),
  'valuation.completed': place(ofValuation),
  'valuation.failed': place(ofValuation),
  'valuation.superseded': place(ofValuation),
} as const

const Run = T.Boolean({ default: false, description: 'Whether to run it at once.' })

const Seed = T.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [20_260_630],
  description: 'The seed of the Monte Carlo range. By default it follows from the inputs.',
})

export const createValuation = mutation('create_valuation', {
  ...valuationMutation,
  http: 'POST /v1/valuations',
  summary: 'Create a valuation, and run it if you want.',
  description: `Without run, it is a draft: you can change it and add evidence before you run it.

The Workspace must be able to see what the document names; it needs no other access to it. A valuation of a Business belongs to that Business, unless business_id is null. What happens to it is told, without figures, in each active Room of its Business.

You can call this without an account: without SVC-Workspace-Id, and with no credential or an anonymous access token. The answer then has a claim_token, once. With it in the header SVC-Claim-Token you can read the valuation for 30 days, and a member of a Workspace can claim it.`,
  visitors: true,
  input: {
    ...documentFields,
    business_id: T.Optional(BusinessOfValuation),
    methods: T.Optional(documentFields.methods),
    weights: T.Optional(documentFields.weights),
    run: T.Optional(Run),
  },
  output: {
    data: Valuation,
    claim_token: T.Optional(
      nullable(
        T.String({
          description: 'Only without an account: the secret that reads and claims it. Null in a replay.',
        }),
      ),
    ),
    expires_at: T.Optional(dateTime('Only without an account: until when it can be read and claimed.')),
  },
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'evidence_required', 'unprocessable_content'],
  emits: ['valuation.created', 'valuation.completed'],
  limits: ['write', 'run'],
})

export const listValuations = query('list_valuations', {
  ...valuationQuery,
  http: 'GET /v1/valuations',
  summary: 'List the valuations of a Workspace.',
  description: 'In the order of creation. Items have the conclusion, but neither inputs nor result.',
  input: {
    business_id: T.Optional(id('biz')),
    subject_type: T.Optional(oneOf(subjectTypes, 'Only valuations of such subjects.')),
    status: T.Optional(oneOf(statuses, 'Only valuations with this status.')),
    cursor: T.Optional(valuationIdText('The page.cursor of the previous page.')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(ValuationSummary),
  problems: ['not_found'],
})

export const getValuation = query('get_valuation', {
  ...valuationQuery,
  http: 'GET /v1/valuations/{valuation_id}',
  summary: 'Retrieve a valuation.',
  visitors: true,
  input: { valuation_id: ValuationId },
  output: { data: Valuation },
  problems: ['not_found', 'gone'],
  tagged: 'r',
})

export const updateValuation = mutation('update_valuation', {
  ...valuationMutation,
  http: 'PATCH /v1/valuations/{valuation_id}',
  summary: 'Update a draft.',
  description:
    'Each field that you send replaces the earlier one as a whole; weights with null removes them. A completed valuation never changes; revise it.',
  input: { valuation_id: ValuationId, expected_revision: revision(), ...documentChanges },
  rules: [{ rule: 'some', fields: Object.keys(documentChanges) }],
  output: { data: Valuation },
  status: 200,
  problems: [
    'validation_error',
    'forbidden',
    'not_found',
    'state_conflict',
    'revision_conflict',
    'unprocessable_content',
  ],
  emits: ['valuation.updated'],
})

export const runValuation = mutation('run_valuation', {
  ...valuationMutation,
  http: 'POST /v1/valuations/{valuation_id}/run',
  summary: 'Run a draft.',
  description:
    'The same document, evidence, benchmark set and seed give the same result, byte for byte. If evidence is missing, nothing changes. A completed valuation never changes.',
  input: { valuation_id: ValuationId, expected_revision: revision(), seed: T.Optional(Seed) },
  output: { data: Valuation },
  status: 200,
  problems: [
    'forbidden',
    'not_found',
    'state_conflict',
    'revision_conflict',
    'evidence_required',
    'unprocessable_content',
  ],
  emits: ['valuation.completed'],
  limits: ['write', 'run'],
})

export const reviseValuation = mutation('revise_valuation', {
  ...valuationMutation,
  http: 'POST /v1/valuations/{valuation_id}/revise',
  summary: 'Create a draft that replaces a completed valuation.',
  description:
    'The draft has the document and the evidence of the completed one, with the fields that you send. The completed one stays as it is, and names the draft as superseded_by_id.',
  input: { valuation_id: ValuationId, expected_revision: revision(), ...documentChanges },
  output: { data: Valuation },
  status: 201,
  problems: [
    'validation_error',
    'forbidden',
    'not_found',
    'state_conflict',
    'revision_conflict',
    'unprocessable_content',
  ],
  emits: ['valuation.created', 'valuation.superseded'],
})

export const signValuation = mutation('sign_valuation', {
  ...valuationMutation,
  http: 'POST /v1/valuations/{valuation_id}/sign',
  summary: 'Sign a completed calculation.',
  description:
    'You take responsibility for it, so an API key cannot do this. The signature names the hash of the result. What the engine concludes is a professional conclusion of value only once a person has signed it.',
  input: {
    valuation_id: ValuationId,
    expected_revision: revision(),
    statement: linesOfText(10_000, {
      description: 'What you state.',
      example: 'I have no interest in the subject, and my fee does not depend on the value.',
    }),
    qualifications: linesOfText(10_000, {
      description: 'What qualifies you.',
      example: 'Accredited Senior Appraiser since 2012.',
    }),
  },
  output: { data: Valuation },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['valuation.signed'],
})
