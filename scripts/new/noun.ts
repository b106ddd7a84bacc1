import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { withHandler } from './handlers.ts'
import { nextMigration } from './migration.ts'
import { contractText, migrationText, samplesText, testText } from './noun-texts.ts'
import { createText, listText, storeText, updateText } from './noun-server-texts.ts'

/** The names of a noun that stands in Rooms, such as site visits. */
export interface NounNames {
  /** `rooms` */
  slice: string
  /** `site-visits` */
  plural: string
  /** `siteVisits` */
  camelPlural: string
  /** `site-visit` */
  singular: string
  /** `siteVisit` */
  camel: string
  /** `SiteVisit` */
  pascal: string
  /** `SiteVisits` */
  pascalPlural: string
  /** `site_visit` */
  snake: string
  /** `site_visits` */
  table: string
  /** `site visit` */
  words: string
  /** `site visits` */
  wordsPlural: string
}

/** The slices that may import the access checks of Rooms. */
const afterRooms = ['rooms', 'files', 'valuations', 'goals', 'tasks', 'connections']

/**
 * Writes a noun that stands in Rooms, with three operations that create, list and update it: declarations, handlers, SQL, a
 * migration, samples and a test, and the lines that register them. It compiles, and its tests pass once the generated files are
 * written. Returns what is left to do. If something is wrong, it throws and writes nothing.
 */
export function newNoun(root: string, path: string): string {
  const names = nounNames(root, path)
  const { slice, plural, singular, camelPlural, camel, table } = names
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  const server = `packages/server/src/${slice}/${plural}`
  const test = `packages/server/test/${slice}/${plural}`
  const registry = 'packages/contract/src/registry.ts'
  const events = 'packages/contract/src/events.ts'
  const samples = 'packages/server/test/operations/samples.ts'
  const world = 'packages/server/test/operations/world.ts'
  const handlersFile = `packages/server/src/${slice}/handlers.ts`
  const migration = nextMigration(root, table)
  const added: Record<string, string> = {
    [`packages/contract/src/${slice}/${plural}.ts`]: contractText(names),
    [`${server}/${singular}-store.ts`]: storeText(names),
    [`${server}/create-${singular}.ts`]: createText(names),
    [`${server}/list-${plural}.ts`]: listText(names),
    [`${server}/update-${singular}.ts`]: updateText(names),
    [migration.file]: migrationText(names, migration.before),
    [`${test}/samples.ts`]: samplesText(names),
    [`${test}/${plural}.test.ts`]: testText(names),
  }
  const handlers = [`create-${singular}`, `list-${plural}`, `update-${singular}`].reduce(
    (before, operation) =>
      withHandler(before, {
        handler: `handle${pascalOf(operation)}`,
        handlerFile: `${server}/${operation}.ts`,
        handlersFile,
      }),
    text(handlersFile),
  )
  const changed: Record<string, string> = {
    [registry]: withChanges(text(registry), [
      [/^(?=import type \{ EventType \})/m, `import * as ${camelPlural} from './${slice}/${plural}.ts'\n`],
      [/^(?= {2}activity,\n\] as const)/m, `  ${camelPlural},\n`],
    ]),
    [events]: withChanges(text(events), [
      [/^(?=import .*workspaceEvents)/m, `import { ${camel}Events } from './${slice}/${plural}.ts'\n`],
      [/^(?=\} as const satisfies Record<string, EventDeclaration>)/m, `  ...${camel}Events,\n`],
    ]),
    [handlersFile]: handlers,
    [samples]: withChanges(text(samples), [
      [
        /^(?=import type \{ Sample \})/m,
        `import { samples as ${camelPlural} } from '../${slice}/${plural}/samples.ts'\n`,
      ],
      [new RegExp(`^( {2}${slice}: \\[[^\\]]*?),?\\s*\\]`, 'm'), `$1, ${camelPlural}]`],
    ]),
    [world]: withChanges(text(world), [
      [
        /^(?= {2}const \[event\] = await service\.sql)/m,
        `  const { ${names.snake}: ${camel} } = await mia.create${names.pascal}({ room_id: room.room_id, title: 'Without Olivia' })\n`,
      ],
      [
        /^( {4}approval_id: approval\.approval_id,\n)/m,
        `$1    ${names.snake}_id: ${camel}.${names.snake}_id,\n`,
      ],
    ]),
  }
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

function nounNames(root: string, path: string): NounNames {
  const [slice = '', plural = '', ...rest] = path.split('/')
  const slices = globSync('packages/server/src/*/handlers.ts', { cwd: root })
    .map(file => basename(dirname(file)))
    .filter(name => afterRooms.includes(name))
  if (!slices.includes(slice))
    throw new Error(`A noun that stands in Rooms is in one of the slices ${slices.toSorted().join(', ')}.`)
  if (rest.length > 0 || !/^[a-z]+(?:-[a-z]+)*s$/.test(plural))
    throw new Error('Name a noun by its slice and its plural, such as rooms/site-visits.')
  const singular = plural.replace(/ies$/, 'y').replace(/(?<!y)s$/, '')
  const table = plural.replaceAll('-', '_')
  const pascal = pascalOf(singular)
  return {
    slice,
    plural,
    camelPlural: camelOf(plural),
    singular,
    camel: camelOf(singular),
    pascal,
    pascalPlural: pascalOf(plural),
    snake: singular.replaceAll('-', '_'),
    table,
    words: singular.replaceAll('-', ' '),
    wordsPlural: plural.replaceAll('-', ' '),
  }
}

const camelOf = (kebab: string) => kebab.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const pascalOf = (kebab: string) => camelOf(`-${kebab}`)

/** A text with changes. Throws if it has no place for one of them. */
function withChanges(text: string, changes: readonly (readonly [place: RegExp, change: string])[]): string {
  return changes.reduce((before, [place, change]) => {
    if (!place.test(before)) throw new Error(`Nothing is like ${place}: write "${change.trim()}" yourself.`)
    return before.replace(place, change)
  }, text)
}
