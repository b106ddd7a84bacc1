import { withArticle } from '@wbs/contract/schema'
import { nearest } from '@wbs/contract/nearest'
import type { InputError } from '@wbs/contract/problems'
import { referenced } from '@wbs/contract/schema'
import type { ErrorObject } from 'ajv'

type InputPart = InputError['in']

/** Limits the size of the answer; more errors than this help nobody. */
const mostErrors = 20

/** Translates schema errors into input errors, at most twenty. No message repeats what was submitted. */
export function inputErrors(
  place: InputPart,
  errors: readonly ErrorObject[],
  schema: { properties: object },
): InputError[] {
  const found = new Map<string, InputError>()
  for (const error of errors) {
    if (found.size === mostErrors) break
    const made = inputError(place, error, schema)
    // One error for each location: the first is the most basic one.
    if (made && !found.has(made.pointer)) found.set(made.pointer, made)
  }
  return [...found.values()]
}

function inputError(place: InputPart, error: ErrorObject, schema: { properties: object }): InputError | null {
  const at = { in: place, pointer: error.instancePath }
  const { keyword, params } = error
  switch (keyword) {
    case 'required':
      return {
        in: place,
        pointer: `${error.instancePath}/${params.missingProperty}`,
        code: 'required',
        detail: `${params.missingProperty} is required.`,
      }
    case 'additionalProperties':
      return unknownName(
        place,
        error.instancePath,
        params.additionalProperty,
        Object.keys(error.parentSchema?.properties ?? schema.properties),
      )
    case 'type':
      return {
        ...at,
        code: 'type',
        detail: `${nameOf(at.pointer)} must be ${withArticle([params.type].flat().join(' or '))}.`,
      }
    case 'minLength':
      return {
        ...at,
        code: 'too_short',
        detail: `${nameOf(at.pointer)} must have at least ${count(params.limit, 'character')}.`,
      }
    case 'maxLength':
      return {
        ...at,
        code: 'too_long',
        detail: `${nameOf(at.pointer)} must have at most ${count(params.limit, 'character')}.`,
      }
    case 'minItems':
      return {
        ...at,
        code: 'too_short',
        detail: `${nameOf(at.pointer)} must have at least ${count(params.limit, 'item')}.`,
      }
    case 'maxItems':
      return {
        ...at,
        code: 'too_long',
        detail: `${nameOf(at.pointer)} must have at most ${count(params.limit, 'item')}.`,
      }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return {
        ...at,
        code: 'out_of_range',
        detail: `${nameOf(at.pointer)} must be ${inWords[params.comparison] ?? params.comparison} ${params.limit}.`,
      }
    case 'enum':
      return notOneOf(at, params.allowedValues, error.data)
    case 'discriminator':
      return wrongTag({ in: place, pointer: `${at.pointer}/${params.tag}` }, error)
    case 'pattern':
      return wrongFormat(at, error)
    case 'format':
      return params.format === 'date-time' ? invalidTimestamp(at) : wrongFormat(at, error)
    default:
      return { ...at, code: 'format', detail: `${nameOf(at.pointer)} is not valid (${keyword}).` }
  }
}

/** An undeclared parameter, with the most similar declared one as the suggestion. */
function unknownName(place: InputPart, base: string, name: string, known: readonly string[]): InputError {
  const near = nearest(name, known)
  return {
    in: place,
    pointer: `${base}/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    code: 'unknown',
    detail:
      known.length === 0
        ? 'There are no parameters here.'
        : `There is no parameter with this name. The parameters are ${known.join(', ')}.`,
    ...(near && { suggestion: near }),
  }
}

function notOneOf(
  at: { in: InputPart; pointer: string },
  allowed: readonly (string | null)[],
  given: unknown,
): InputError {
  const texts = allowed.filter(value => value !== null)
  const near = typeof given === 'string' ? nearest(given, texts) : undefined
  return {
    ...at,
    code: 'unknown',
    detail: `${nameOf(at.pointer)} must be one of ${allowed.map(String).join(', ')}.`,
    ...(near && { suggestion: near }),
  }
}

function wrongTag(at: { in: InputPart; pointer: string }, error: ErrorObject): InputError {
  const { tag, tagValue } = error.params
  if (tagValue === undefined) return { ...at, code: 'required', detail: `${tag} is required.` }
  return notOneOf(at, tagsOf(error), tagValue)
}

/** The values of the key that tells the objects of a tagged union apart. */
const tagsOf = ({ params, parentSchema }: ErrorObject): string[] =>
  ((parentSchema?.['oneOf'] ?? []) as Variant[]).flatMap(
    variant => referenced(variant).properties?.[params['tag']]?.enum ?? [],
  )

interface Variant {
  $ref?: string
  properties?: Record<string, { enum?: string[] }>
}

const invalidTimestamp = (at: { in: InputPart; pointer: string }): InputError => ({
  ...at,
  code: 'format',
  detail: `${nameOf(at.pointer)} must be a date and time as in RFC 3339, with an offset from UTC, in the years 1 to 9999 of UTC.`,
})

function wrongFormat(at: { in: InputPart; pointer: string }, error: ErrorObject): InputError {
  const values: string[] | undefined = error.parentSchema?.['x-values']
  const given = typeof error.data === 'string' ? error.data : ''
  const near = values && nearest(given, values)
  const detail = values
    ? `${nameOf(at.pointer)} must be one of ${values.join(', ')}.`
    : `${nameOf(at.pointer)} is not valid.${expectation(error)}`
  return { ...at, code: 'format', detail, ...(near && { suggestion: near }) }
}

/** What a value should be that does not have the right form. */
function expectation({ keyword, params, parentSchema }: ErrorObject): string {
  if (keyword === 'format') return ` Expected: ${withArticle(formats[params.format] ?? params.format)}.`
  const description: string | undefined = parentSchema?.description
  return description ? ` Expected: ${description}` : ''
}

const inWords: Record<string, string> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
}

const formats: Record<string, string> = { uuid: 'UUID', date: 'date as YYYY-MM-DD' }

const nameOf = (pointer: string) => (pointer === '' ? 'The body' : pointer.slice(1).replaceAll('/', '.'))
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
