import { inputParts, takesBody, type Operation } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import { canonicalAll, isObject } from './canonical-input.ts'
import { partValidator, type PartValidator } from './check-schema.ts'
import { decodeQuery, withoutDuplicates } from './decode-query.ts'
import { brokenRules, unstorableText } from './input-rules.ts'

/** The input of an operation as a transport received it: path and query as text, the body parsed. */
export interface RawInput {
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, readonly string[]>
  /** undefined if no body was sent. */
  body: unknown
}

/** Validates input against the declaration of an operation, and merges all parameters into one object. */
export type Validator = (raw: RawInput) => { input: Record<string, unknown>; errors: InputError[] }

export function createValidator(op: Operation): Validator {
  const parts = inputParts(op)
  const path = partValidator('path', parts.path)
  const query = partValidator('query', parts.query)
  const body = takesBody(op) ? partValidator('body', parts.body) : undefined
  const rest = body ? 'body' : 'query'
  const placeOf = (name: string) => (Object.hasOwn(parts.path, name) ? 'path' : rest)

  return raw => {
    const inPath = canonicalAll(parts.path, raw.path)
    const inQuery = decodeQuery(parts.query, raw.query)
    const given = raw.body === null ? ofNull(op) : raw.body
    const inBody = body && isObject(given) ? canonicalAll(parts.body, given) : given
    const others = body ? (isObject(inBody) ? inBody : {}) : withoutDuplicates(inQuery.values)
    const errors = [
      ...path(inPath),
      ...inQuery.errors,
      ...query(inQuery.values),
      ...(body ? bodyErrors(body, inBody) : []),
      ...brokenRules(op.rules ?? [], name => Object.hasOwn(others, name), rest),
    ]
    if (errors.length > 0) return { input: {}, errors: firstOfEachPlace(errors) }
    const input = { ...inPath, ...others }
    // Walks the whole input, so it runs only once the schema has bounded its size.
    return { input, errors: unstorableText(input, placeOf) }
  }
}

/** What a body of null stands for. */
const ofNull = (op: Operation): unknown =>
  op.kind === 'mutation' && op.null_body !== undefined ? { [op.null_body]: true } : null

function bodyErrors(validate: PartValidator, body: unknown): InputError[] {
  if (body !== undefined) return validate(body)
  return [{ in: 'body', pointer: '', code: 'required', detail: 'A JSON body is required.' }]
}

/** Keeps the first error of each location, which is the most basic one. */
function firstOfEachPlace(errors: readonly InputError[]): InputError[] {
  const told = new Map<string, InputError>()
  for (const error of errors) {
    const place = `${error.in} ${error.pointer}`
    if (!told.has(place)) told.set(place, error)
  }
  return [...told.values()]
}
