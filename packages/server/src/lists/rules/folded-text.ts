import { foldedFields } from '@wbs/contract/lists/rules'
import { foldCity, foldName, foldText } from '../../businesses/fold.ts'
import { isObservationField } from './fact-types.ts'

/**
 * Brings a text of a field into the form in which it is compared. Facts and the operands of rules must both be brought into it
 * here, in TypeScript and for SQL.
 */
export function comparable(field: string, text: string): string {
  if (field === 'name') return foldName(text)
  if (field === 'city') return foldCity(text)
  return isObservationField(field) || isFolded(field) ? foldText(text) : text
}

const isFolded = (field: string) => (foldedFields as readonly string[]).includes(field)
