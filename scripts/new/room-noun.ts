import type { NounNames } from './names-of-noun.ts'
import type { NounParts } from './noun-parts.ts'
import { contractText, migrationText, samplesText, testText } from './room-noun-texts.ts'
import { createText, listText, storeText, updateText } from './room-noun-server-texts.ts'

/** They can import the access checks of Rooms. */
export const slicesInRooms = ['rooms', 'files', 'valuations', 'goals', 'tasks', 'connections']

/** A noun that stands in Rooms. Its receipts name the Room. */
export function roomNoun(names: NounNames, before: string): NounParts {
  const { plural, singular, snake, camel, pascal, keyed } = names
  return {
    contract: contractText(names),
    server: {
      [`${singular}-store.ts`]: storeText(names),
      [`create-${singular}.ts`]: createText(names),
      [`list-${plural}.ts`]: listText(names),
      [`update-${singular}.ts`]: updateText(names),
    },
    migration: migrationText(names, before),
    tests: { 'samples.ts': samplesText(names), [`${plural}.test.ts`]: testText(names) },
    operations: [`create-${singular}`, `list-${plural}`, `update-${singular}`],
    changes: {
      'packages/server/test/operations/world.ts': [
        [
          /^(?= {2}const \[event\] = await service\.sql)/m,
          `  const { ${keyed} } = await mia.create${pascal}({ room_id: room.room_id, title: 'Without Olivia' })\n`,
        ],
        [/^( {4}approval_id: approval\.approval_id,\n)/m, `$1    ${snake}_id: ${camel}.${snake}_id,\n`],
      ],
    },
  }
}
