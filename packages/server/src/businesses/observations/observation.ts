import type { InputError } from '@wbs/contract/problems'
import { isDay } from '../fact-formats.ts'

export type ObservedValue =
  | { value_type: 'text' | 'date'; value: string }
  | { value_type: 'number'; value: number }
  | { value_type: 'boolean'; value: boolean }

/** A value as it was given: whether it is of the type that it says is judged here. */
export interface GivenValue {
  value_type: ObservedValue['value_type']
  value: string | number | boolean
}

/** What is wrong with an observation by itself, beyond what its schema says. */
export function observationFaults(value: GivenValue, observed_on: string, now: Date): InputError[] {
  return [valueFault(value), observed_on > latestDay(now) ? notYet : null].filter(one => one !== null)
}

const typeOf = { text: 'string', date: 'string', number: 'number', boolean: 'boolean' } as const

function valueFault({ value_type, value }: GivenValue): InputError | null {
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

const notYet: InputError = {
  in: 'body',
  pointer: '/observed_on',
  code: 'out_of_range',
  detail: 'observed_on must not be in the future.',
}

/** The day it is where the day is furthest on, 14 hours ahead of UTC: nowhere is it later. */
const latestDay = (now: Date) => new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10)
