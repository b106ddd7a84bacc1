import { relative } from 'node:path'

/** The position of a test, relative to the working folder: `test/rooms.test.ts:12:3`. */
export const placeOf = ({
  file = '',
  line,
  column,
}: {
  file?: string
  line?: number
  column?: number
}): string => [relative(process.cwd(), file), line, column].filter(part => part !== undefined).join(':')
