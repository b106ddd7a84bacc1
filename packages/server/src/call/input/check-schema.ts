import { components } from '@wbs/contract/schema'
import type { InputError } from '@wbs/contract/problems'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Type as T, type TProperties } from 'typebox'
import { inputErrors } from './input-errors.ts'
import { isDay, parseTimestamp } from './timestamp.ts'

/** Validates one part of an input: its path parameters, its query or its body. */
export type PartValidator = (value: unknown) => InputError[]

function schemaChecker(options: { allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    verbose: true,
    strict: true,
    strictTypes: false,
    coerceTypes: false,
    ownProperties: true,
    discriminator: true,
    keywords: ['x-trimmed', 'x-repeatable', 'x-values'],
  })
  ;(addFormats as unknown as (ajv: Ajv2020, formats: string[]) => void)(ajv, ['uri'])
  ajv.addFormat('date-time', text => parseTimestamp(text) !== null)
  ajv.addFormat('date', isDay)
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
  ajv.addVocabulary(['components'])
  return ajv
}

const firstError = schemaChecker({ allErrors: false })
const allErrors = schemaChecker({ allErrors: true })

/** Builds the validator of a part from its declared parameters. Undeclared parameters are errors. */
export function partValidator(place: InputError['in'], properties: TProperties): PartValidator {
  const schema = T.Object(properties, { additionalProperties: false })
  const whole = { ...schema, components: { schemas: Object.fromEntries(components) } }
  let valid: ValidateFunction | undefined
  let explain: ValidateFunction | undefined
  return value => {
    // Compiled on first use, so that operations that are never called cost nothing.
    valid ??= firstError.compile(whole)
    if (valid(value)) return []
    if (hasManyValues(value)) return inputErrors(place, valid.errors ?? [], schema)
    explain ??= allErrors.compile(whole)
    explain(value)
    return inputErrors(place, explain.errors ?? [], schema)
  }
}

const manyValues = 2_000

/** Whether a value is so large that only its first error is reported: a list of a million wrong items has a million errors. */
function hasManyValues(value: unknown): boolean {
  const open = [value]
  for (let seen = 0; open.length > 0; seen++) {
    if (seen > manyValues) return true
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next) && next.length > manyValues) return true
    open.push(...Object.values(next))
  }
  return false
}
