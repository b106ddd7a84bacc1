import type { TProperties, TSchema } from 'typebox'
import { isRequired, type InputRule, type Operation } from '../operation.ts'

/** The schema of the body of a request, with the rules between its fields. */
export function bodySchema(op: Operation, properties: TProperties): object {
  const required = Object.keys(properties).filter(name => isRequired(properties[name] as TSchema))
  const isNullable = op.kind === 'mutation' && op.null_body !== undefined
  return {
    type: isNullable ? ['object', 'null'] : 'object',
    properties,
    required,
    additionalProperties: false,
    ...dependencies(op, properties),
    ...conditions(op, properties, required),
  }
}

/** Which fields require others. */
function dependencies({ rules = [] }: Operation, properties: TProperties): object {
  const needs = Map.groupBy(
    rules.filter(rule => rule.rule === 'requires').filter(({ field }) => field in properties),
    ({ field }) => field,
  )
  return needs.size > 0
    ? {
        dependentRequired: Object.fromEntries(
          Array.from(needs, ([field, all]) => [field, all.map(rule => rule.needs)]),
        ),
      }
    : {}
}

/** Which fields exclude each other, and of which at least one is needed. */
function conditions({ rules = [] }: Operation, properties: TProperties, required: readonly string[]): object {
  const all = rules.flatMap(rule => condition(rule, properties, required))
  // JSON Schema has one keyword of a name in an object, so several conditions of one kind stand in allOf.
  const names = all.flatMap(Object.keys)
  return new Set(names).size === names.length ? Object.assign({}, ...all) : { allOf: all }
}

function condition(rule: InputRule, properties: TProperties, required: readonly string[]): object[] {
  switch (rule.rule) {
    // Of an object alone: null has no fields that could exclude each other.
    case 'exclusive':
      return [{ not: { type: 'object', required: [...rule.fields] } }]
    case 'some': {
      // Generators understand a number of properties better than alternatives.
      const others = Object.keys(properties).filter(name => !rule.fields.includes(name))
      if (others.every(name => required.includes(name))) return [{ minProperties: required.length + 1 }]
      return [{ anyOf: rule.fields.map(field => ({ required: [field] })) }]
    }
    default:
      return []
  }
}
