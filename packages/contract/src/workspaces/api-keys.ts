import { Type as T } from 'typebox'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import { neverByKey, scopes } from '../scopes.ts'
import { component, dateTime, lineOfText, nullable, oneOf, open, openSet, revision, uuid } from '../schema.ts'

const statuses = ['active', 'revoked', 'expired'] as const

const ApiKey = component(
  'ApiKey',
  open({
    key_id: uuid(),
    workspace_id: uuid(),
    name: T.String(),
    prefix: T.String({ description: 'What the key begins with; safe to show.' }),
    last4: T.String({ description: 'What the key ends with.' }),
    scopes: T.Array(openSet(scopes)),
    status: openSet(statuses),
    owner: open({ user_id: uuid(), name: nullable(T.String()) }),
    allowed_cidrs: nullable(
      T.Array(T.String(), { description: 'From where it may be used; null: from anywhere.' }),
    ),
    expires_at: nullable(dateTime()),
    previous_secret_until: nullable(
      dateTime('Until when the secret before the last rotation holds as well; null where it does not.'),
    ),
    last_used_at: nullable(dateTime('To the minute or so.')),
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

const KeyId = uuid('The id of the key.')
const Secret = nullable(
  T.String({
    description: 'The whole key, told this once: in a replay it is null, and nobody can read it again.',
  }),
)

const settings = {
  name: lineOfText(200),
  scopes: T.Array(oneOf(scopes.filter(scope => !neverByKey.includes(scope))), {
    maxItems: scopes.length,
    uniqueItems: true,
    description:
      'What the key may do at most: nothing that its maker may not do now. What its owner loses, the key loses.',
  }),
  expires_at: nullable(dateTime('From when on it holds no more: in the future.')),
  allowed_cidrs: nullable(
    T.Array(
      T.Unsafe<string>({
        type: 'string',
        maxLength: 50,
        examples: ['203.0.113.0/24', '2001:db8::/32'],
        description: 'An address, or a network in CIDR notation.',
      }),
      { minItems: 1, maxItems: 50, description: 'From where the key may be used; null: from anywhere.' },
    ),
  ),
}

const common = { tag: 'API keys', audience: 'workspace', scope: 'api_keys:manage' } as const

/** The types of its events, each with the feed that shows it. */
export const apiKeyEvents = {
  'api_key.created': 'audit',
  'api_key.updated': 'audit',
  'api_key.rotated': 'audit',
  'api_key.revoked': 'audit',
} as const

export const listApiKeys = query('list_api_keys', {
  ...common,
  http: 'GET /v1/api-keys',
  summary: 'List the API keys of a Workspace.',
  input: {
    status: T.Optional(oneOf(statuses)),
    cursor: T.Optional(uuid('The cursor of the page before.')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(ApiKey),
  problems: [],
})

export const getApiKey = query('get_api_key', {
  ...common,
  http: 'GET /v1/api-keys/{key_id}',
  summary: 'Read an API key, less its secret.',
  input: { key_id: KeyId },
  output: { data: ApiKey },
  problems: ['not_found'],
  tagged: 'r',
})

export const createApiKey = mutation('create_api_key', {
  ...common,
  http: 'POST /v1/api-keys',
  summary: 'Make an API key that acts for the caller in this Workspace.',
  input: {
    name: settings.name,
    scopes: settings.scopes,
    expires_at: T.Optional(settings.expires_at),
    allowed_cidrs: T.Optional(settings.allowed_cidrs),
  },
  output: { data: ApiKey, secret: Secret },
  status: 201,
  problems: ['validation_error', 'forbidden', 'limit_reached'],
  emits: ['api_key.created'],
  receipt: operationReceipt,
  secrets: ['secret'],
})

export const updateApiKey = mutation('update_api_key', {
  ...common,
  http: 'PATCH /v1/api-keys/{key_id}',
  summary: 'Change the name, scopes, end or networks of an API key.',
  description:
    'The owner of the key may change all of it. Others may only narrow it: to fewer of its scopes, an earlier end, or networks within its own.',
  input: {
    key_id: KeyId,
    expected_revision: revision(),
    name: T.Optional(settings.name),
    scopes: T.Optional(settings.scopes),
    expires_at: T.Optional(settings.expires_at),
    allowed_cidrs: T.Optional(settings.allowed_cidrs),
  },
  rules: [{ rule: 'some', fields: ['name', 'scopes', 'expires_at', 'allowed_cidrs'] }],
  output: { data: ApiKey },
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['api_key.updated'],
  receipt: operationReceipt,
  tagged: 'r',
})

export const rotateApiKey = mutation('rotate_api_key', {
  ...common,
  http: 'POST /v1/api-keys/{key_id}/rotate',
  summary: 'Give an API key a new secret; the old one may hold for a while longer. For the owner of the key.',
  input: {
    key_id: KeyId,
    overlap_seconds: T.Optional(
      T.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 0,
        description: 'For how long the secret so far holds as well.',
      }),
    ),
  },
  output: { data: ApiKey, secret: Secret },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict'],
  emits: ['api_key.rotated'],
  receipt: operationReceipt,
  secrets: ['secret'],
})

export const revokeApiKey = mutation('revoke_api_key', {
  ...common,
  http: 'POST /v1/api-keys/{key_id}/revoke',
  summary: 'Revoke an API key, with every secret of it, at once and for good.',
  input: { key_id: KeyId },
  output: { data: ApiKey },
  status: 200,
  problems: ['not_found', 'state_conflict'],
  emits: ['api_key.revoked'],
  receipt: operationReceipt,
})
