import { Type as T, type Static, type TProperties, type TSchema } from 'typebox'
import { idPattern, idPrefixes, type Id, type IdPrefix } from './ids.ts'

/** Named schemas: each appears once in the document, and is referred to from wherever it is used. */
export const components = new Map<string, TSchema>()

/** Gives a schema a name of its own in the document. */
export function component<S extends TSchema>(name: string, schema: S) {
  components.set(name, schema)
  return T.Unsafe<Static<S>>({ $ref: `#/components/schemas/${name}` })
}

export const id = <P extends IdPrefix>(prefix: P) =>
  T.Unsafe<Id<P>>({
    type: 'string',
    pattern: idPattern(prefix),
    description: `The id of a ${idPrefixes[prefix]}: ${prefix}_ and 26 characters of Crockford base32, the first 0 to 7.`,
  })

export const uuid = (description?: string) =>
  T.Unsafe<string>({ type: 'string', format: 'uuid', ...(description && { description }) })

export const dateTime = (description?: string) =>
  T.Unsafe<string>({ type: 'string', format: 'date-time', ...(description && { description }) })

export const fullDate = (description?: string) =>
  T.Unsafe<string>({ type: 'string', format: 'date', ...(description && { description }) })

/** A closed set of values in a request. */
export const oneOf = <const V extends readonly string[]>(values: V, description?: string) =>
  T.Unsafe<V[number]>({ type: 'string', enum: [...values], ...(description && { description }) })

/** A set of values in an answer: clients must accept ones that are added later. */
export const openSet = <const V extends readonly string[]>(values: V) =>
  T.Unsafe<V[number]>({
    type: 'string',
    examples: [...values],
    description: `Today one of ${values.join(', ')}; more may be added.`,
  })

export const nullable = <S extends TSchema>(schema: S) =>
  T.Unsafe<Static<S> | null>(
    '$ref' in schema || !('type' in schema)
      ? { anyOf: [schema, { type: 'null' }] }
      : { ...schema, type: [schema.type, 'null'] },
  )

/** An object of a request: keys that it does not name are refused. */
export const closed = <P extends TProperties>(properties: P) =>
  T.Object(properties, { additionalProperties: false })

/** An object of an answer: keys may be added in later versions. */
export const open = <P extends TProperties>(properties: P) => T.Object(properties)

/** Text of a request that is judged, and kept, without its surrounding white space. Lengths count code points. */
export const trimmedText = (bounds: {
  minLength: number
  maxLength: number
  pattern?: string
  description?: string
}) => T.Unsafe<string>({ type: 'string', 'x-trimmed': true, ...bounds })

/** One line of text that people gave something as its name. */
export const lineOfText = (maxLength: number) =>
  trimmedText({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
    description: `One line of at most ${maxLength} code points, kept without surrounding white space.`,
  })

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[\\p{L}\\p{M}\\p{N}-]+'

/** An address that mail is sent to. */
export const emailAddress = () => ({
  ...trimmedText({
    minLength: 3,
    maxLength: 254,
    pattern: `^${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`,
    description:
      'An email address: ASCII before the @, and after it a domain name, which may be international.',
  }),
  examples: ['zoe@example.com'],
})

/** The revision that a change is made on: another one by now means that somebody was quicker. */
export const revision = () =>
  T.Integer({
    minimum: 0,
    maximum: 2 ** 31 - 1,
    examples: [1],
    description: 'The revision that was read; if it is another by now, nothing is done.',
  })

/**
 * A list in the query string: comma-separated, and where so declared also by repeating the parameter. Items are counted as
 * they are given; what comes twice is one to whoever reads it.
 */
export const queryList = <S extends TSchema>(
  items: S,
  options: { repeatable: boolean; maxItems: number; description?: string },
) => {
  const { repeatable, ...rest } = options
  return T.Unsafe<Static<S>[]>({ type: 'array', items, minItems: 1, 'x-repeatable': repeatable, ...rest })
}
