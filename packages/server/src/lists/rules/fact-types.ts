import { businessFields, type BusinessField } from '@wbs/contract/businesses/businesses'
import { observationKeyPattern } from '@wbs/contract/businesses/observations'
import {
  dateFields,
  observationPrefix,
  operatorsByType,
  presenceOperators,
  type FactType,
  type FieldRule,
  type RuleOperator,
} from '@wbs/contract/lists/rules'
import { isDay } from '../../businesses/fact-formats.ts'

const keyForm = new RegExp(observationKeyPattern)

/** Whether a text names a field of the search projection. */
export const isBusinessField = (field: string): field is BusinessField =>
  (businessFields as readonly string[]).includes(field)

export const isObservationField = (field: string): boolean => field.startsWith(observationPrefix)

/** The key of the observations that a field names; null if the field names none. */
export function observationKeyOf(field: string): string | null {
  const key = isObservationField(field) ? field.slice(observationPrefix.length) : ''
  return keyForm.test(key) ? key : null
}

/** The types that the facts of a field can have. An observation can have any. */
export function typesOfField(field: string): readonly FactType[] {
  if (isObservationField(field)) return allTypes
  return (dateFields as readonly string[]).includes(field) ? ['date'] : ['text']
}

/** The operators of a field. */
export function operatorsOfField(field: string): readonly RuleOperator[] {
  const ofTypes: readonly RuleOperator[] = typesOfField(field).flatMap(type => [...operatorsByType[type]])
  return [
    ...new Set([...ofTypes, ...(field === 'naics_code' ? (['naics'] as const) : []), ...presenceOperators]),
  ]
}

/**
 * The types of facts that a checked leaf can hold for. A fact of another type makes it false. A day given with eq is compared
 * with dates and texts. Empty for is_set and is_not_set, which compare nothing.
 */
export function comparedTypes({ field, operator, value }: FieldRule): readonly FactType[] {
  if (operator === 'is_set' || operator === 'is_not_set') return []
  if (operator === 'naics') return ['text']
  const types = typesOfField(field).filter(type =>
    (operatorsByType[type] as readonly string[]).includes(operator),
  )
  return isObservationField(field) ? types.filter(type => fits(type, operator, value)) : types
}

function fits(type: FactType, operator: RuleOperator, value: FieldRule['value']): boolean {
  const first = Array.isArray(value) ? value[0] : value
  if (type === 'number' || type === 'boolean') return typeof first === type
  if (typeof first !== 'string') return false
  return type === 'text' || operator === 'within_last' || isDay(first)
}

const allTypes = Object.keys(operatorsByType) as FactType[]
