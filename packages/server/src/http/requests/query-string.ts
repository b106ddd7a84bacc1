import type { InputError } from '@wbs/contract/problems'
import { invalid } from '../../call/problem.ts'

/**
 * The parameters of a request target, in order and with repetitions. Throws validation_error if percent escapes are not
 * UTF-8.
 */
export function readQueryString(target: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>()
  const start = target.indexOf('?')
  if (start < 0) return parameters
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid([badEscape])
  }
}

const badEscape: InputError = {
  in: 'query',
  pointer: '',
  code: 'format',
  detail: 'The query string has a percent escape that is not UTF-8.',
}
