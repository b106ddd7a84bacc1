import { Type as T } from 'typebox'
import { webPattern } from './businesses.ts'
import { oneOf, trimmedText, fullDate, closed } from '../schema.ts'

/** Text that may have several lines: tabs and line breaks are the only control characters. */
export const paragraphs = (maxLength: number) =>
  T.Unsafe<string>({
    ...trimmedText({
      minLength: 1,
      maxLength,
      pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]+$',
    }),
  })

export const example = <S extends object>(schema: S, value: unknown): S => ({ ...schema, examples: [value] })

export const day = (description: string) =>
  T.Unsafe<string>({
    ...fullDate(description),
    pattern: '^(?:1[0-9]{3}|2[01][0-9]{2})-',
  })

export const WebAddress = trimmedText({
  minLength: 8,
  maxLength: 2048,
  pattern: webPattern,
  description:
    'An http or https URL without white space, user name or password. Kept to the letter, as search compares it.',
})

export const sourceKinds = ['government_record', 'website', 'document', 'statement', 'other'] as const

export type SourceKind = (typeof sourceKinds)[number]

export const Source = (description: string) =>
  T.Unsafe<{ kind: SourceKind; url?: string; note?: string }>({
    ...closed({
      kind: oneOf(sourceKinds),
      url: T.Optional(WebAddress),
      note: T.Optional(paragraphs(2000)),
    }),
    description,
  })
