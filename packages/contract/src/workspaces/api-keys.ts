import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { operationReceipt } from '../receipts.ts'
import { forbiddenForKeys, scopes } from '../scopes.ts'
import {
  component,
  dateTime,
  lineOfText,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
  uuid,
  uuidCursor,
} from '../schema.ts'
import { stateMachine } from '../state-machine.ts'

const statuses = ['active', 'revoked', 'expired'] as const

export const apiKeyMachine = stateMachine(statuses, 'active', {
  update: { active: 'active' },
  rotate: { active: 'active' },
  revoke: { active: 'revoked' },
  expire: { active: 'expired' },
})

const ApiKey = component(
  'ApiKey',
  open({
    key_id: uuid(),
    workspace_id: uuid(),
    name: T.String(),
    prefix: T.String({ description: 'The first characters of the key. They are safe to show.' }),
    last4: T.String({ description: 'The last four characters of the key.' }),
    scopes: T.Array(openSet(scopes)),
    status: openSet(statuses),
    owner: open({ user_id: uuid(), name: nullable(T.String()) }),
    allowed_cidrs: nullable(
      T.Array(T.String(), { description: 'The networks from which the key works. Null: any network.' }),
    ),
    expires_at: nullable(dateTime('When the key expires. Null: never.')),
    previous_secret_until: nullable(
      dateTime('When the previous secret stops working. Null if it does not work now.'),
    ),
    last_used_at: nullable(
      dateTime('When the key was last used, accurate to about a minute. Null if it was never used.'),
    ),
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

const KeyId = uuid('The ID of the API key.')
const Secret = nullable(
  T.String({ description: 'The full key. Shown only in this response; null in a replay.' }),
)

const settings = {
  name: lineOfText(200, { description: 'What the key is for.', example: 'CRM sync' }),
  scopes: T.Array(oneOf(scopes.filter(scope => !forbiddenForKeys.includes(scope))), {
    maxItems: scopes.length,
    uniqueItems: true,
    examples: [['businesses:read', 'events:read']],
    description:
      'What the key may do. You can grant only permissions that you have; if its owner loses one, so does the key.',
  }),
  expires_at: nullable(dateTime('When the key expires. Must be in the future.')),
  allowed_cidrs: nullable(
    T.Array(
      T.Unsafe<string>({
        type: 'string',
        maxLength: 50,
        examples: ['203.0.113.0/24', '2001:db8::/32'],
        description: 'An IP address, or a network in CIDR notation.',
      }),
      { minItems: 1, maxItems: 50, description: 'The networks from which the key works. Null: any network.' },
    ),
  ),
}

const common = { tag: 'API keys', audience: 'workspace', scope: 'api_keys:manage' } as const

/** The types of its events, and the feed that shows each. */
export const apiKeyEvents = {
  'api_key.created': audit,
  'api_key.updated': audit,
  'api_key.rotated': audit,
  'api_key.revoked': audit,
} as const

export const listApiKeys = query('list_api_keys', {
  ...common,
  http: 'GET /v1/api-keys',
  summary: 'List the API keys of a Workspace.',
  input: {
    status: T.Optional(oneOf(statuses, 'Only keys with this status.')),
    cursor: T.Optional(uuidCursor()),
    limit: T.Optional(pageLimit),
  },
  output: listOf(ApiKey),
  problems: [],
})

export const getApiKey = query('get_api_key', {
  ...common,
  http: 'GET /v1/api-keys/{key_id}',
  summary: 'Retrieve an API key. The answer does not include its secret.',
  input: { key_id: KeyId },
  output: { data: ApiKey },
  problems: ['not_found'],
  tagged: 'r',
})

export const createApiKey = mutation('create_api_key', {
  ...common,
  http: 'POST /v1/api-keys',
  summary: 'Create an API key that acts for you in the Workspace.',
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
  summary: 'Update the name, scopes, expiry or networks of an API key.',
  description:
    'The owner of the key can change all of these. Others can only restrict the key: to fewer scopes, an earlier expiry, or networks within its current ones.',
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
  summary: 'Rotate an API key: replace its secret.',
  description: 'Only the owner of the key can rotate it.',
  input: {
    key_id: KeyId,
    overlap_seconds: T.Optional(
      T.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 0,
        description: 'For how many seconds the previous secret continues to work.',
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
  summary: 'Revoke an API key. It stops working at once, and cannot be restored.',
  input: { key_id: KeyId },
  output: { data: ApiKey },
  status: 200,
  problems: ['not_found', 'state_conflict'],
  emits: ['api_key.revoked'],
  receipt: operationReceipt,
})
