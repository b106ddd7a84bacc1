import type { NounNames } from './names-of-noun.ts'
import type { NounParts } from './noun-parts.ts'
import { createText, getText, listText, storeText } from './workspace-noun-server-texts.ts'
import {
  contractText,
  migrationText,
  samplesText,
  testText,
  type WorkspaceSlice,
} from './workspace-noun-texts.ts'

const slices: Readonly<Record<string, WorkspaceSlice>> = {
  workspaces: { tag: 'Workspaces', reads: 'workspace:read', changes: 'workspace:manage' },
  businesses: { tag: 'Businesses', reads: 'businesses:read', changes: 'businesses:write' },
  lists: { tag: 'Lists', reads: 'lists:read', changes: 'lists:write' },
}
export const slicesOfWorkspaces = Object.keys(slices)

/** A noun that belongs to a Workspace. It is a type of resource, which its receipts name. */
export function workspaceNoun(names: NounNames, before: string): NounParts {
  const { slice, plural, singular, snake, camel, pascal } = names
  const place = slices[slice]
  if (!place) throw new Error(`The nouns of ${slice} belong to no Workspace.`)
  return {
    contract: contractText(names, place),
    server: {
      [`${singular}-store.ts`]: storeText(names),
      [`create-${singular}.ts`]: createText(names),
      [`get-${singular}.ts`]: getText(names),
      [`list-${plural}.ts`]: listText(names),
    },
    migration: migrationText(names, before),
    tests: { 'samples.ts': samplesText(names), [`${plural}.test.ts`]: testText(names) },
    operations: [`create-${singular}`, `get-${singular}`, `list-${plural}`],
    changes: {
      'packages/contract/src/receipts.ts': [
        [/^(?=\] as const\nexport type ResourceType)/m, `  '${snake}',\n`],
      ],
      [`packages/server/src/${slice}/receipt-visibility.ts`]: [
        [/\n(?=\n)/, `\nimport { ${camel}ById } from './${plural}/${singular}-store.ts'\n`],
        [/(Pick<\s*VisibilityChecks,[^>]*?)(?=,?\s*>)/, `$1 | '${snake}'`],
        [
          /^(?=\}\s*$)/m,
          `  ${snake}: async (id, { standing, tx }) => (await ${camel}ById(tx, standing.workspace_id, id)) !== undefined,\n`,
        ],
      ],
      'packages/server/test/operations/walk/hide-resource.ts': [
        [/^(?= {2}room: \(world)/m, `  ${snake}: removeMember,\n`],
      ],
      'packages/server/test/operations/walk/read-back.ts': [
        [/^(?= *async participant\()/m, `  ${snake}: ({ id }) => \`${plural}/\${id}\`,\n`],
      ],
      'packages/server/test/operations/world.ts': [
        [
          /^(?= {2}return \{\n {4}workspace_id,\n {4}asset_id)/m,
          `  const { data: ${camel} } = await sam.client.create${pascal}({ title: "Sam's" }, { workspace_id })\n`,
        ],
        [/^( {4}asset_id: asset\.asset_id,\n)/m, `$1    ${snake}_id: ${camel}.${snake}_id,\n`],
      ],
    },
  }
}
