import type { Static, TProperties, TSchema } from 'typebox'
import { T } from './json/type.ts'
import { idPattern, idPrefixes, type Id, type IdPrefix } from './ids.ts'

/** The named schemas of the OpenAPI document, by name. */
export const components = new Map<string, TSchema>()

/** Names a schema. The document holds it once, and refers to it wherever it is used. */
export function component<S extends TSchema>(name: string, schema: S) {
  components.set(name, schema)
  return T.Unsafe<Static<S>>({ $ref: `#/components/schemas/${name}` })
}

/** The component that a schema refers to; a schema without a reference is itself. */
export const referenced = <Node extends { $ref?: string }>(schema: Node): Node =>
  schema.$ref === undefined
    ? schema
    : ((components.get(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)) as Node | undefined) ?? schema)

/** A schema as a document of its own: with the components that it refers to, and those that they refer to. */
export function withComponents<S extends object>(schema: S): S & { components: { schemas: object } } {
  const used = new Map<string, TSchema>()
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { $ref } = part as { $ref?: unknown }
    if (typeof $ref === 'string') {
      const name = $ref.slice($ref.lastIndexOf('/') + 1)
      const found = components.get(name)
      if (found && !used.has(name)) {
        used.set(name, found)
        collect(found)
      }
    }
    for (const inner of Object.values(part)) collect(inner)
  }
  collect(schema)
  return { ...schema, components: { schemas: Object.fromEntries(used) } }
}

/** A noun with its article: `an event`, `an upload`, `a UUID`. */
export const withArticle = (noun: string) => (/^(?:[aeio]|up)/i.test(noun) ? `an ${noun}` : `a ${noun}`)

export const id = <P extends IdPrefix>(prefix: P) =>
  T.Unsafe<Id<P>>({
    type: 'string',
    pattern: idPattern(prefix),
    description: `The ID of ${withArticle(idPrefixes[prefix])}: ${prefix}_ and 26 characters of Crockford base32, of which the first is 0 to 7.`,
  })

export const uuid = (description?: string) =>
  T.Unsafe<string>({ type: 'string', format: 'uuid', ...(description && { description }) })

export const dateTime = (description?: string) =>
  T.Unsafe<string>({ type: 'string', format: 'date-time', ...(description && { description }) })

export const fullDate = (description?: string) =>
  T.Unsafe<string>({ type: 'string', format: 'date', ...(description && { description }) })

/** A closed set of values, for a request: any other value is refused. */
export const oneOf = <const V extends readonly string[]>(values: V, description?: string) =>
  T.Unsafe<V[number]>({ type: 'string', enum: [...values], ...(description && { description }) })

/** An open set of values, for an answer: later versions may add some, and clients must accept them. */
export const openSet = <const V extends readonly string[]>(values: V) =>
  T.Unsafe<V[number]>({
    type: 'string',
    'x-values': [...values],
    examples: [...values],
    description: `${values.length === 1 ? 'Currently always' : 'One of'} ${values.join(', ')}. Values may be added.`,
  })

export const nullable = <S extends TSchema>(schema: S) =>
  T.Unsafe<Static<S> | null>(
    '$ref' in schema || !('type' in schema)
      ? { anyOf: [schema, { type: 'null' }] }
      : {
          ...schema,
          type: [schema.type, 'null'],
          ...('enum' in schema && { enum: [...(schema.enum as readonly string[]), null] }),
        },
  )

/** An object of a request: a key that it does not name is refused. */
export const closed = <P extends TProperties>(properties: P) =>
  T.Object(properties, { additionalProperties: false })

/** One of several objects of a request, which a key with a fixed value tells apart. Each is a component. */
export const taggedUnion = <const Variants extends readonly TSchema[]>(
  tag: string,
  variants: Variants,
  description?: string,
) =>
  T.Unsafe<Static<Variants[number]>>({
    type: 'object',
    discriminator: { propertyName: tag },
    oneOf: [...variants],
    ...(description && { description }),
  })

/** An object of an answer: later versions may add keys. */
export const open = <P extends TProperties>(properties: P) => T.Object(properties)

interface TextRules {
  minLength: number
  maxLength: number
  pattern?: string
  description?: string
  /** A realistic value. The reference sends it in its example of the request. */
  example?: string
}

/** Text of a request. White space at its ends is removed before it is validated. Lengths count Unicode code points. */
export const trimmedText = ({ example, ...rules }: TextRules) =>
  T.Unsafe<string>({
    type: 'string',
    'x-trimmed': true,
    ...rules,
    ...(example !== undefined && { examples: [example] }),
  })

const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f]+$'
const severalLines = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]+$'

/** One line of text, such as a name or a title. `description` says what it is of, as a sentence. */
export const lineOfText = (maxLength: number, rules: { description: string; example: string }) =>
  trimmedText({
    ...rules,
    minLength: 1,
    maxLength,
    pattern: oneLine,
    description: `${rules.description} One line, without control characters. White space at the ends is removed.`,
  })

/** Text of several lines, such as a note. Tabs and line breaks are the only control characters in it. */
export const linesOfText = (maxLength: number, rules: { description: string; example: string }) =>
  trimmedText({
    ...rules,
    minLength: 1,
    maxLength,
    pattern: severalLines,
    description: `${rules.description} May have several lines; no control characters but tabs and line breaks.`,
  })

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[\\p{L}\\p{M}\\p{N}-]+'

/** An email address to which the service sends mail. */
export const emailAddress = (description: string) =>
  trimmedText({
    minLength: 3,
    maxLength: 254,
    pattern: `^${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`,
    description: `${description} An email address: ASCII before the @; the domain may be internationalized.`,
    example: 'zoe@example.com',
  })

/** The revision that the caller read. The change is refused with revision_conflict if the resource has another one now. */
export const revision = () =>
  T.Integer({
    minimum: 0,
    maximum: 2 ** 31 - 1,
    examples: [1],
    description:
      'The revision that you read. If the resource has another revision now, nothing changes and the answer is revision_conflict.',
  })

/** The cursor of a list of resources that have a UUID. */
export const uuidCursor = () => uuid('The page.cursor of the previous page.')

/** The cursor of a list of resources that have an id with a prefix. */
export const idCursor = <P extends IdPrefix>(prefix: P) =>
  T.Unsafe<Id<P>>({
    ...id(prefix),
    description: `The page.cursor of the previous page: ${prefix}_ and 26 characters of Crockford base32.`,
  })

/**
 * A list in the query string: comma-separated and, if `repeatable`, also given by repeating the parameter. `maxItems`
 * counts the items as sent, duplicates included.
 */
export const queryList = <S extends TSchema>(
  items: S,
  options: { repeatable: boolean; maxItems: number; description?: string },
) => {
  const { repeatable, ...rest } = options
  return T.Unsafe<Static<S>[]>({ type: 'array', items, minItems: 1, 'x-repeatable': repeatable, ...rest })
}
