import { inputParts, isRequired, pathOf, type Operation } from '@wbs/contract/operation'
import { referenced } from '@wbs/contract/schema'

/** What a flag takes. `json` is an object, a union, or a list of objects. */
export type ParameterKind = 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json'

/** A schema as the terminal reads it: a plain view of a JSON Schema. */
export interface PlainSchema {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly PlainSchema[]
  oneOf?: readonly PlainSchema[]
  const?: unknown
  items?: PlainSchema
  properties?: Readonly<Record<string, PlainSchema>>
  required?: readonly string[]
  pattern?: string
  format?: string
  description?: string
  examples?: readonly unknown[]
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  $ref?: string
}

/** A parameter of an operation, as an argument or a flag. */
export interface Parameter {
  /** As in the interface: `due_at`. */
  name: string
  /** As on the command line: `due-at`. */
  flag: string
  in: 'path' | 'query' | 'body'
  kind: ParameterKind
  /** Without the alternative null. */
  schema: PlainSchema
  /** Of a list: its items. */
  items?: { kind: ParameterKind; schema: PlainSchema }
  isNullable: boolean
  isRequired: boolean
  /** It is worth as much as a password, so that others on the machine should not read it in the list of processes. */
  isSecret: boolean
  /** `--FLAG-file` reads it: JSON, long text, and what is secret. */
  mayBeFile: boolean
  /** The text of the interface is the Base64 of the content. */
  isBase64: boolean
}

/** The parameters of an operation: those of the path, in its order, and all others as flags. */
export function parametersOf(op: Operation): { inPath: Parameter[]; flags: Parameter[] } {
  const parts = inputParts(op)
  const all = (['path', 'query', 'body'] as const).flatMap(place =>
    Object.entries(parts[place]).map(([name, schema]) =>
      parameterOf(name, place, schema as PlainSchema, isRequired(schema)),
    ),
  )
  const position = ({ name }: Parameter) => pathOf(op).indexOf(`{${name}}`)
  const inPath = all
    .filter(parameter => parameter.in === 'path')
    .toSorted((a, b) => position(a) - position(b))
  return { inPath, flags: all.filter(parameter => parameter.in !== 'path') }
}

const kebab = (name: string): string => name.replaceAll('_', '-').toLowerCase()

function parameterOf(
  name: string,
  place: Parameter['in'],
  declared: PlainSchema,
  required: boolean,
): Parameter {
  const { schema, isNullable } = withoutNull(declared)
  const kind = kindOf(schema)
  const items = kind === 'list' ? withoutNull(schema.items ?? {}).schema : undefined
  const isSecret = /(?:^|_)token$/.test(name)
  const isLong = kind === 'text' && !schema.enum && (schema.maxLength ?? 0) >= 1000
  return {
    name,
    flag: kebab(name),
    in: place,
    kind,
    schema,
    ...(items && { items: { kind: kindOf(items), schema: items } }),
    isNullable,
    isRequired: required,
    isSecret,
    mayBeFile: place !== 'path' && (kind === 'json' || isSecret || isLong),
    isBase64: kind === 'text' && schema.pattern?.endsWith('={0,2}$') === true,
  }
}

/** A schema without its reference and without the alternative null, and whether it had one. */
export function withoutNull(declared: PlainSchema): { schema: PlainSchema; isNullable: boolean } {
  const schema = referenced(declared)
  const others = schema.anyOf?.filter(variant => variant.type !== 'null')
  if (others?.length === 1 && others.length < (schema.anyOf?.length ?? 0))
    return {
      schema: {
        ...(schema.description !== undefined && { description: schema.description }),
        ...referenced(others[0] as PlainSchema),
      },
      isNullable: true,
    }
  if (typeof schema.type === 'string' || !schema.type?.includes('null')) return { schema, isNullable: false }
  const types = schema.type.filter(type => type !== 'null')
  return {
    schema: {
      ...schema,
      type: types.length === 1 ? (types[0] as string) : types,
      ...(schema.enum && { enum: schema.enum.filter(value => value !== null) }),
    },
    isNullable: true,
  }
}

function kindOf(schema: PlainSchema): ParameterKind {
  switch (schema.type) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
    case 'boolean':
      return schema.type
    case 'array': {
      const kind = kindOf(withoutNull(schema.items ?? {}).schema)
      return kind === 'json' || kind === 'list' ? 'json' : 'list'
    }
    default:
      return 'json'
  }
}
