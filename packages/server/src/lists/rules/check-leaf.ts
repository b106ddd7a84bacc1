import { businessFields } from '@wbs/contract/businesses/businesses'
import { observationPrefix, presenceOperators, type RuleOperator } from '@wbs/contract/lists/rules'
import { nearest } from '@wbs/contract/nearest'
import { checkOperand } from './check-operand.ts'
import {
  isBusinessField,
  isObservationField,
  observationKeyOf,
  operatorsOfField,
  typesOfField,
} from './fact-types.ts'
import type { FoundErrors } from './found-errors.ts'

type Given = Record<string, unknown>

/** Checks the field, the operator and the value of a leaf. Without a known field, only the field can be judged. */
export function checkLeaf(leaf: Given, at: string, found: FoundErrors): void {
  const field = fieldOf(leaf, at, found)
  const operator = operatorOf(leaf, at, field, found)
  if (field === null || operator === null) return
  const { value } = leaf
  const place = `${at}/value`
  if ((presenceOperators as readonly string[]).includes(operator)) {
    if (value !== undefined && value !== null)
      found.add(place, 'conflict', `value must be null with the operator ${operator}.`)
  } else if (value === undefined) {
    found.add(place, 'required', `value is required with the operator ${operator}.`)
  } else checkOperand({ types: typesOfField(field), field, operator, value, at: place }, found)
}

function fieldOf({ field }: Given, at: string, found: FoundErrors): string | null {
  const place = `${at}/field`
  if (field === undefined) found.add(place, 'required', 'field is required in a rule of the kind field.')
  else if (typeof field !== 'string') found.add(place, 'type', 'field must be a string.')
  else if (isBusinessField(field) || observationKeyOf(field) !== null) return field
  else if (isObservationField(field)) found.add(place, 'format', keyExpected)
  else found.add(place, 'unknown', fieldExpected, nearestField(field))
  return null
}

const keyExpected = `field must have the key of an observation after ${observationPrefix}: a lowercase letter, then lowercase letters, digits or _, at most 64 characters.`
const fieldExpected = `field must be one of ${businessFields.join(', ')}, or ${observationPrefix} and the key of an observation.`

/** The nearest field. Of a misspelled prefix of observations only the prefix is known to be wrong. */
function nearestField(field: string): string | undefined {
  const dot = field.indexOf('.')
  if (dot === -1) return nearest(field, businessFields)
  const meant = `${observationPrefix}${field.slice(dot + 1)}`
  const isNear = nearest(field.slice(0, dot + 1), [observationPrefix]) !== undefined
  return isNear && observationKeyOf(meant) !== null ? meant : undefined
}

function operatorOf(
  { operator }: Given,
  at: string,
  field: string | null,
  found: FoundErrors,
): RuleOperator | null {
  const place = `${at}/operator`
  if (operator === undefined)
    found.add(place, 'required', 'operator is required in a rule of the kind field.')
  else if (typeof operator !== 'string') found.add(place, 'type', 'operator must be a string.')
  else if (field !== null) {
    const known = operatorsOfField(field)
    if ((known as readonly string[]).includes(operator)) return operator as RuleOperator
    const name = isObservationField(field) ? 'operator of an observation' : `operator of ${field}`
    found.addUnknown(place, name, operator, known)
  }
  return null
}
