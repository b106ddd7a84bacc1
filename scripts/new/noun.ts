import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withHandler } from './handlers.ts'
import { nextMigration } from './migration.ts'
import { namesOfNoun, pascalOf, type NounNames } from './names-of-noun.ts'
import type { Change, NounParts } from './noun-parts.ts'
import { roomNoun, slicesInRooms } from './room-noun.ts'
import { slicesOfWorkspaces, workspaceNoun } from './workspace-noun.ts'

/**
 * Writes a noun with three operations: declarations, handlers, SQL, a migration, samples and a test, and the lines that register
 * them. A noun that stands in Rooms is created, listed and updated; one that belongs to a Workspace is created, listed and read.
 * Once the generated files are written, it compiles and its tests pass. Returns what is left to do. If something is wrong, it
 * throws and writes nothing.
 */
export function newNoun(root: string, path: string): string {
  const names = namesOfNoun(path)
  const { slice, plural, table } = names
  if (![...slicesInRooms, ...slicesOfWorkspaces].includes(slice))
    throw new Error(
      `A noun that stands in Rooms is in one of the slices ${slicesInRooms.join(', ')}; one that belongs to a Workspace is in ${slicesOfWorkspaces.join(', ')}.`,
    )
  const { file: migration, before } = nextMigration(root, table)
  const parts = slicesInRooms.includes(slice) ? roomNoun(names, before) : workspaceNoun(names, before)
  const test = `packages/server/test/${slice}/${plural}`
  const added = {
    [`packages/contract/src/${slice}/${plural}.ts`]: parts.contract,
    ...inFolder(`packages/server/src/${slice}/${plural}`, parts.server),
    [migration]: parts.migration,
    ...inFolder(test, parts.tests),
  }
  const changed = changedFiles(root, names, parts)
  for (const file of Object.keys(added))
    if (existsSync(join(root, file))) throw new Error(`${file} is there already.`)
  for (const [file, content] of Object.entries({ ...added, ...changed })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
  }
  return [
    `The noun ${names.words} has three operations, in`,
    ...Object.keys(added).map(file => `  ${file}`),
    'and is named in',
    ...Object.keys(changed).map(file => `  ${file}`),
    'Give it the fields and the rules that it needs, in all of these.',
    'Then: npx oxfmt packages && npm run generate -- --examples && npm run check',
    `and: npm test -- ${test} packages/server/test/operations packages/server/test/database`,
  ].join('\n')
}

const inFolder = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([file, content]) => [`${folder}/${file}`, content]))

/** The files that name every noun, and those that this one has to be named in. */
function changedFiles(root: string, names: NounNames, parts: NounParts): Record<string, string> {
  const { slice, plural, camelPlural, camel } = names
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  const changes: Record<string, Change[]> = {
    'packages/contract/src/registry.ts': [
      [/^(?=import type \{ EventType \})/m, `import * as ${camelPlural} from './${slice}/${plural}.ts'\n`],
      [/^(?= {2}activity,\n\] as const)/m, `  ${camelPlural},\n`],
    ],
    'packages/contract/src/events.ts': [
      [/^(?=import .*workspaceEvents)/m, `import { ${camel}Events } from './${slice}/${plural}.ts'\n`],
      [/^(?=\} as const satisfies Record<string, EventDeclaration>)/m, `  ...${camel}Events,\n`],
    ],
    'packages/server/test/operations/samples.ts': [
      [
        /^(?=import type \{ Sample \})/m,
        `import { samples as ${camelPlural} } from '../${slice}/${plural}/samples.ts'\n`,
      ],
      [new RegExp(`^( {2}${slice}: \\[[^\\]]*?),?\\s*\\]`, 'm'), `$1, ${camelPlural}]`],
    ],
    ...parts.changes,
  }
  const handlersFile = `packages/server/src/${slice}/handlers.ts`
  const handlers = parts.operations.reduce(
    (before, operation) =>
      withHandler(before, {
        handler: `handle${pascalOf(operation)}`,
        handlerFile: `packages/server/src/${slice}/${plural}/${operation}.ts`,
        handlersFile,
      }),
    text(handlersFile),
  )
  return {
    [handlersFile]: handlers,
    ...Object.fromEntries(
      Object.entries(changes).map(([file, some]) => [file, withChanges(file, text(file), some)]),
    ),
  }
}

/** A text with changes. Throws if it has no place for one of them. */
const withChanges = (file: string, text: string, changes: readonly Change[]): string =>
  changes.reduce((before, [place, change]) => {
    if (!place.test(before))
      throw new Error(`Nothing in ${file} is like ${place}: write "${change.trim()}" yourself.`)
    return before.replace(place, change)
  }, text)
