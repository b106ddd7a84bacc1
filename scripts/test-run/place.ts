import { relative } from 'node:path'

/** Where a test stands, from the folder in which it is run: `test/rooms.test.ts:12:3`. */
export const placeOf = ({
  file = '',
  line,
  column,
}: {
  file?: string
  line?: number
  column?: number
}): string => [relative(process.cwd(), file), line, column].filter(part => part !== undefined).join(':')
