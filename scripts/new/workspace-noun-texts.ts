import type { NounNames } from './names-of-noun.ts'

/** A slice whose nouns belong to the Workspace: its chapter of the reference, and the scopes of its operations. */
export interface WorkspaceSlice {
  tag: string
  reads: string
  changes: string
}

/** The declarations: a schema, its event and three operations. */
export const contractText = (
  { plural, table, snake, camel, pascal, pascalPlural, words, wordsPlural }: NounNames,
  { tag, reads, changes }: WorkspaceSlice,
) =>
  `import { T } from '../json/type.ts'
import { audit } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { changeReceipt } from '../receipts.ts'
import { component, dateTime, lineOfText, open, uuid, uuidCursor } from '../schema.ts'

export const ${pascal} = component(
  '${pascal}',
  open({
    ${snake}_id: uuid(),
    title: T.String(),
    created_by: uuid('The user who created it.'),
    revision: T.Integer({ minimum: 1 }),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

const common = { tag: '${tag}', audience: 'workspace' } as const

const title = lineOfText(200, { description: 'Its title.', example: 'A ${words}' })

/** The types of its events, and the feed that shows each. */
export const ${camel}Events = { '${snake}.created': audit } as const

export const list${pascalPlural} = query('list_${table}', {
  ...common,
  scope: '${reads}',
  http: 'GET /v1/${plural}',
  summary: 'List the ${wordsPlural} of a Workspace, oldest first.',
  input: { cursor: T.Optional(uuidCursor()), limit: T.Optional(pageLimit) },
  output: listOf(${pascal}),
  problems: [],
})

export const get${pascal} = query('get_${snake}', {
  ...common,
  scope: '${reads}',
  http: 'GET /v1/${plural}/{${snake}_id}',
  summary: 'Retrieve a ${words}.',
  input: { ${snake}_id: uuid('The ID of the ${words}.') },
  output: { data: ${pascal} },
  problems: ['not_found'],
  tagged: 'r',
})

export const create${pascal} = mutation('create_${snake}', {
  ...common,
  scope: '${changes}',
  receipt: changeReceipt,
  http: 'POST /v1/${plural}',
  summary: 'Create a ${words} in a Workspace.',
  input: { title },
  output: { data: ${pascal} },
  status: 201,
  tagged: 'r',
  problems: ['validation_error'],
  emits: ['${snake}.created'],
})
`

export const migrationText = (
  { table, words }: NounNames,
  before: string,
) => `-- Runs with versions from ${before} on.

-- Each ${words} belongs to a Workspace.
create table ${table} (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  title text not null check (char_length(title) between 1 and 200),
  created_by uuid not null references users,
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy within_workspace on ${table} using (workspace_id = current_workspace());
create policy owner_reads_all on ${table} for select to svc_owner using (true);
grant select on ${table} to svc_reader, svc_writer;
grant insert on ${table} to svc_writer; -- and update, if a statement does it
`

export const samplesText = ({
  table,
  snake,
  pascal,
  words,
}: NounNames) => `import type { Samples } from '../../operations/sample.ts'

const title = 'A ${words}'

export const samples = {
  list_${table}: { input: () => ({}) },
  get_${snake}: {
    input: async ({ us }) => ({ ${snake}_id: (await us.create${pascal}({ title })).data.${snake}_id }),
  },
  create_${snake}: { input: () => ({ title }), roundTrips: 2 },
} satisfies Samples
`

export const testText = ({
  snake,
  camel,
  pascal,
  pascalPlural,
  wordsPlural,
}: NounNames) => `import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { startTestService, type TestService } from '../../harness/service.ts'

describe('the ${wordsPlural} of a Workspace', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('are created, listed oldest first and read', async () => {
    const owner = service.person('Olivia')
    const viewer = service.person('Viktor')
    const workspace_id = await service.workspace('Harbor', owner, { viewer })
    const us = service.client({ access_token: owner.token, workspace_id })
    const { data: first, receipt } = await us.create${pascal}({ title: 'First' })
    assert.deepEqual(receipt.resource, { type: '${snake}', id: first.${snake}_id })
    const { data: second } = await us.create${pascal}({ title: 'Second' })
    const { data, page } = await us.list${pascalPlural}({ limit: 1 })
    assert.deepEqual([data, page.has_more], [[first], true])
    const rest = await us.list${pascalPlural}({ cursor: String(page.cursor) })
    assert.deepEqual(rest.data, [second])
    const byViewer = service.client({ access_token: viewer.token, workspace_id })
    assert.deepEqual((await byViewer.get${pascal}({ ${snake}_id: first.${snake}_id })).data, first)
    await refused(byViewer.create${pascal}({ title: 'Third' }), 'forbidden')
    const events = await service.sql(
      \`select type, feed from events where workspace_id = $1 and type like '${snake}.%'\`,
      [workspace_id],
    )
    assert.deepEqual(
      events.map(({ type, feed }) => [type, feed]),
      [
        ['${snake}.created', 'audit'],
        ['${snake}.created', 'audit'],
      ],
    )
  })

  it('are found only in their Workspace', async () => {
    const owner = service.person('Olivia')
    const workspace_id = await service.workspace('Harbor', owner)
    const { data: ${camel} } = await owner.client.create${pascal}({ title: 'Hidden' }, { workspace_id })
    const other = await service.workspace('Elsewhere', owner)
    const { ${snake}_id } = ${camel}
    await refused(owner.client.get${pascal}({ ${snake}_id }, { workspace_id: other }), 'not_found')
    assert.deepEqual((await owner.client.list${pascalPlural}({}, { workspace_id: other })).data, [])
  })
})
`
