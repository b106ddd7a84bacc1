import type { InputRule } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'

/** Checks the rules between parameters. */
export function brokenRules(
  rules: readonly InputRule[],
  isGiven: (name: string) => boolean,
  place: 'body' | 'query',
): InputError[] {
  return rules.flatMap(rule => {
    if (rule.rule === 'exclusive') return bothGiven(rule.fields, isGiven, place)
    return rule.rule === 'requires'
      ? missingCompanion(rule, isGiven, place)
      : noneGiven(rule.fields, isGiven, place)
  })
}

function noneGiven(
  fields: readonly string[],
  isGiven: (name: string) => boolean,
  place: 'body' | 'query',
): InputError[] {
  if (fields.some(isGiven)) return []
  const detail = `Send at least one of ${fields.join(', ')}.`
  return [{ in: place, pointer: '', code: 'required', detail, suggestion: fields[0] as string }]
}

function bothGiven(
  [first, second]: readonly [string, string],
  isGiven: (name: string) => boolean,
  place: 'body' | 'query',
): InputError[] {
  if (!isGiven(first) || !isGiven(second)) return []
  const detail = `Send only one of ${first} and ${second}.`
  return [{ in: place, pointer: `/${second}`, code: 'conflict', detail, suggestion: first }]
}

function missingCompanion(
  { field, needs }: { field: string; needs: string },
  isGiven: (name: string) => boolean,
  place: 'body' | 'query',
): InputError[] {
  if (!isGiven(field) || isGiven(needs)) return []
  const detail = `${field} requires ${needs}.`
  return [{ in: place, pointer: `/${field}`, code: 'requires', detail, suggestion: needs }]
}

/** Finds text that PostgreSQL cannot store: U+0000, or an unpaired surrogate, which would become another character. */
export function unstorableText(
  input: Readonly<Record<string, unknown>>,
  placeOf: (name: string) => InputError['in'],
): InputError[] {
  const errors: InputError[] = []
  const walk = (value: unknown, place: InputError['in'], pointer: string): void => {
    if (typeof value === 'string') {
      if (value.isWellFormed() && !value.includes('\u0000')) return
      const detail = 'The text has U+0000 or an unpaired surrogate, which cannot be stored.'
      errors.push({ in: place, pointer, code: 'format', detail })
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) walk(key, place, pointer)
        walk(inner, place, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      }
    }
  }
  for (const [name, value] of Object.entries(input)) walk(value, placeOf(name), `/${name}`)
  return errors
}
