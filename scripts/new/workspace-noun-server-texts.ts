import type { NounNames } from './names-of-noun.ts'

export const storeText = ({
  snake,
  camel,
  pascal,
  table,
  words,
}: NounNames) => `import { randomUUIDv7 } from 'node:crypto'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** A ${words} as it is shown. */
export interface ${pascal}Row {
  ${snake}_id: string
  title: string
  created_by: string
  revision: number
  created_at: string
  updated_at: string
}

/** A page of a Workspace. */
export const ${camel}Page = (
  reader: Reader,
  workspace_id: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<${pascal}Row[]> => reader.many(page, { workspace_id, after, limit })

/** The ${words} with an id, in a Workspace. */
export const ${camel}ById = (
  reader: Reader,
  workspace_id: string,
  ${snake}_id: string,
): Promise<${pascal}Row | undefined> => reader.one(byId, { workspace_id, ${snake}_id })

/** Inserts a ${words} in a Workspace. */
export function insert${pascal}(
  tx: Transaction,
  workspace_id: string,
  { title, created_by }: Pick<${pascal}Row, 'title' | 'created_by'>,
  now: Date,
): ${pascal}Row {
  const at = now.toISOString()
  const row = { ${snake}_id: randomUUIDv7(), title, created_by, revision: 1, created_at: at, updated_at: at }
  tx.save(insert, { workspace_id, ...row })
  return row
}

const columns = 'id as ${snake}_id, title, created_by, revision, created_at, updated_at'

const page = read<${pascal}Row>(
  '${snake}_page',
  \`select \${columns} from ${table}
   where workspace_id = :workspace_id and (:after::uuid is null or id > :after)
   order by id limit :limit\`,
  'long',
)

const byId = read<${pascal}Row>(
  '${snake}_by_id',
  \`select \${columns} from ${table} where workspace_id = :workspace_id and id = :${snake}_id\`,
)

const insert = write(
  '${snake}_insert',
  \`insert into ${table} (workspace_id, id, title, created_by, created_at, updated_at)
   values (:workspace_id, :${snake}_id, :title, :created_by, :created_at, :updated_at)\`,
)
`

export const createText = ({
  slice,
  plural,
  singular,
  snake,
  camel,
  pascal,
}: NounNames) => `import { create${pascal} } from '@wbs/contract/${slice}/${plural}'
import { implement } from '../../call/implement.ts'
import { insert${pascal} } from './${singular}-store.ts'

export const handleCreate${pascal} = implement(
  create${pascal},
  async function create${pascal}({ title }, { caller, standing, tx, now }) {
    const ${camel} = insert${pascal}(tx, standing.workspace_id, { title, created_by: caller.user_id }, now)
    const { ${snake}_id: id, revision } = ${camel}
    return {
      result: { data: ${camel} },
      revision,
      resource: { type: '${snake}', id },
      events: [{ type: '${snake}.created', subject: { type: '${snake}', id, name: title } }],
    }
  },
)
`

export const getText = ({
  slice,
  plural,
  singular,
  snake,
  camel,
  pascal,
  words,
}: NounNames) => `import { get${pascal} } from '@wbs/contract/${slice}/${plural}'
import { implement } from '../../call/implement.ts'
import { ${camel}ById } from './${singular}-store.ts'

export const handleGet${pascal} = implement(
  get${pascal},
  async function get${pascal}({ ${snake}_id }, { standing, read, refuse }) {
    const ${camel} = await ${camel}ById(read, standing.workspace_id, ${snake}_id)
    if (!${camel}) throw refuse.not_found('There is no such ${words}.')
    return { result: { data: ${camel} }, revision: ${camel}.revision }
  },
)
`

export const listText = ({
  slice,
  plural,
  pascalPlural,
  singular,
  snake,
  camel,
}: NounNames) => `import { list${pascalPlural} } from '@wbs/contract/${slice}/${plural}'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { ${camel}Page } from './${singular}-store.ts'

export const handleList${pascalPlural} = implement(
  list${pascalPlural},
  async function list${pascalPlural}({ cursor: after = null, limit = 20 }, { standing, read }) {
    const rows = await ${camel}Page(read, standing.workspace_id, { after, limit: limit + 1 })
    return { result: pageOf(rows, limit, row => row.${snake}_id) }
  },
)
`
