import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The names of an operation and of the files that carry it out, from the root of the project. */
export interface OperationNames {
  /** `pin_room` */
  operation: string
  /** `pinRoom` */
  camel: string
  /** `handlePinRoom` */
  handler: string
  contractFile: string
  /** `@wbs/contract/rooms/rooms` */
  contractModule: string
  handlerFile: string
  handlersFile: string
  testFile: string
  samplesFile: string
}

/** Reads `rooms/pin-room` or `rooms/participants/mute-participant`. Throws if there is no such slice or noun. */
export function namesOf(root: string, path: string): OperationNames {
  const parts = path.split('/')
  const [slice = '', second = '', third] = parts
  if (parts.length < 2 || parts.length > 3 || parts.some(part => !/^[a-z]+(?:-[a-z]+)*$/.test(part)))
    throw new Error(
      'Name an operation as rooms/pin-room or, below a noun, as rooms/participants/mute-participant.',
    )
  const [noun, kebab] = third === undefined ? ['', second] : [second, third]
  const place = noun === '' ? slice : `${slice}/${noun}`
  const contract = [noun === '' ? `${slice}/${slice}` : place, place].find(candidate =>
    existsSync(join(root, `packages/contract/src/${candidate}.ts`)),
  )
  const slices = globSync('packages/server/src/*/handlers.ts', { cwd: root }).map(file =>
    basename(dirname(file)),
  )
  if (!slices.includes(slice))
    throw new Error(`There is no slice ${slice}. The slices are ${slices.toSorted().join(', ')}.`)
  if (contract === undefined)
    throw new Error(
      `There is no ${place} yet. Declare its first operation in packages/contract/src/${place}.ts, and name that file in registry.ts. Give it packages/server/test/${place}/samples.ts, and name that in packages/server/test/operations/samples.ts.`,
    )
  const camel = kebab.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const handler = `handle${camel[0]?.toUpperCase()}${camel.slice(1)}`
  return {
    operation: kebab.replaceAll('-', '_'),
    camel,
    handler,
    contractFile: `packages/contract/src/${contract}.ts`,
    contractModule: `@wbs/contract/${contract}`,
    handlerFile: `packages/server/src/${place}/${kebab}.ts`,
    handlersFile: `packages/server/src/${slice}/handlers.ts`,
    testFile: `packages/server/test/${place}/${kebab}.test.ts`,
    samplesFile: `packages/server/test/${place}/samples.ts`,
  }
}
