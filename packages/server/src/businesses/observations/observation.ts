import type { InputError } from '@wbs/contract/problems'
import { isDay } from '../fact-formats.ts'

export type ObservedValue =
  | { value_type: 'text' | 'date'; value: string }
  | { value_type: 'number'; value: number }
  | { value_type: 'boolean'; value: boolean }

/** A value as the client sends it. Its type is checked here. */
export interface GivenValue {
  value_type: ObservedValue['value_type']
  value: string | number | boolean
}

/** What is wrong with an observation, beyond its schema. */
export function observationErrors(value: GivenValue, observed_on: string, now: Date): InputError[] {
  return [valueError(value), observed_on > latestDay(now) ? inTheFuture : null].filter(
    error => error !== null,
  )
}

const typeOf = { text: 'string', date: 'string', number: 'number', boolean: 'boolean' } as const

function valueError({ value_type, value }: GivenValue): InputError | null {
  const at = { in: 'body', pointer: '/value/value' } as const
  if (typeof value !== typeOf[value_type])
    return {
      ...at,
      code: 'type',
      detail: `With the value_type ${value_type}, value must be a ${typeOf[value_type]}.`,
    }
  if (value_type === 'date' && !isDay(value as string))
    return { ...at, code: 'format', detail: 'value must be an existing day, as YYYY-MM-DD.' }
  return null
}

const inTheFuture: InputError = {
  in: 'body',
  pointer: '/observed_on',
  code: 'out_of_range',
  detail: 'observed_on must not be in the future.',
}

/** The date at UTC+14, which is the latest date anywhere. */
const latestDay = (now: Date) => new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10)
