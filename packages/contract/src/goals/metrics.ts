import { T } from '../json/type.ts'
import { closed, dateTime, lineOfText, nullable, oneOf, open, openSet } from '../schema.ts'

/** From where the current value of a metric is read. */
const sourceTypes = ['manual', 'list_count', 'valuation'] as const

/** How well the current value is known. */
const valueStatuses = ['unknown', 'computing', 'exact', 'estimated', 'stale'] as const

/** A decimal number, such as -1250000.50: at most 18 digits before the point and 6 after it. */
const decimal = (description: string, example: string) =>
  T.Unsafe<string>({
    type: 'string',
    pattern: '^-?(?:0|[1-9][0-9]{0,17})(?:\\.[0-9]{1,6})?$',
    description: `${description} A decimal number as a string.`,
    examples: [example],
  })

/** How the progress of a Goal is measured. */
export const Metric = open({
  name: T.String(),
  unit: nullable(T.String()),
  start: nullable(T.String({ description: 'A decimal number.' })),
  target: T.String({ description: 'A decimal number.' }),
  source: open({ type: openSet(sourceTypes), id: nullable(T.String()) }),
  current: open({
    value: nullable(
      T.String({ description: 'A decimal number. Null if it is unknown, or not for you to read.' }),
    ),
    as_of: nullable(dateTime('When the value was current.')),
    status: openSet(valueStatuses),
  }),
})

/** A metric in a request. */
export const GivenMetric = T.Unsafe<{
  name: string
  unit?: string | null
  start?: string | null
  target: string
  source: { type: (typeof sourceTypes)[number]; id?: string | null }
  current?: string | null
}>({
  ...closed({
    name: lineOfText(100, { description: 'What is measured.', example: 'Signed letters of intent' }),
    unit: T.Optional(nullable(lineOfText(40, { description: 'The unit.', example: 'letters' }))),
    start: T.Optional(nullable(decimal('The value at the beginning.', '0'))),
    target: decimal('The value to reach.', '3'),
    source: closed({
      type: oneOf(
        sourceTypes,
        'manual: the value is what current says. list_count: it is the number of members of a List. valuation: it is the point of the conclusion of a completed valuation.',
      ),
      id: T.Optional(
        nullable(
          T.Unsafe<string>({
            type: 'string',
            minLength: 1,
            maxLength: 64,
            description:
              'The ID of the List or of the valuation. Required for list_count and valuation, and not allowed for manual.',
            examples: ['list_01JD0000000000000000000000'],
          }),
        ),
      ),
    }),
    current: T.Optional(nullable(decimal('The current value. Only for the source manual.', '1'))),
  }),
  description: 'How progress is measured. It replaces the whole metric.',
  examples: [{ name: 'Signed letters of intent', target: '3', source: { type: 'manual' }, current: '1' }],
})
