import { T } from '../json/type.ts'
import { webPattern } from './businesses.ts'
import { closed, fullDate, linesOfText, oneOf, trimmedText } from '../schema.ts'

/** A schema with an example, which takes the place of any other. */
export const example = <S extends object>(schema: S, value: unknown): S => ({ ...schema, examples: [value] })

/** A day of a request, in the years 1000 to 2199. */
export const day = (description: string) =>
  T.Unsafe<string>({
    ...fullDate(`${description} As YYYY-MM-DD.`),
    pattern: '^(?:1[0-9]{3}|2[01][0-9]{2})-',
  })

/** A URL, kept exactly as given, because search compares it as text. */
export const webAddress = (description: string, url: string) =>
  trimmedText({
    minLength: 8,
    maxLength: 2048,
    pattern: webPattern,
    description: `${description} An http or https URL without white space, user name or password. It is kept exactly as you send it.`,
    example: url,
  })

export const sourceKinds = ['government_record', 'website', 'document', 'statement', 'other'] as const

export type SourceKind = (typeof sourceKinds)[number]

/** Where a fact or an observation comes from. */
export const Source = (description: string) =>
  T.Unsafe<{ kind: SourceKind; url?: string; note?: string }>({
    ...closed({
      kind: oneOf(sourceKinds, 'The kind of the source.'),
      url: T.Optional(webAddress('The address of the source.', 'https://glacier-tooling.example/about')),
      note: T.Optional(
        linesOfText(2000, {
          description: 'A note on the source.',
          example: 'Page 3 of the annual report for 2025.',
        }),
      ),
    }),
    description,
  })
