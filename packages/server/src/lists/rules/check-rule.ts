import type { InputError } from '@wbs/contract/problems'
import { mostBranches, mostLeaves, mostLevels } from '@wbs/contract/lists/rules'
import { checkLeaf } from './check-leaf.ts'
import { FoundErrors, isRecord } from './found-errors.ts'

/**
 * Everything that is wrong with a given rule, at most 20 errors. The pointers begin with `pointer`, that of the rule. It reads
 * no further than the limits allow, so a rule of any size takes little time.
 */
export function ruleErrors(rule: unknown, pointer: string): InputError[] {
  const found = new FoundErrors()
  const walk: Walk = { found, leaves: 0 }
  checkRule(rule, pointer, 1, walk)
  if (walk.leaves > mostLeaves)
    found.add(
      pointer,
      'too_long',
      `A rule must have at most ${mostLeaves} rules of the kinds field, all and none in it.`,
    )
  return found.errors
}

interface Walk {
  found: FoundErrors
  /** The rules so far that have no rules in them. */
  leaves: number
}

const keysOfKinds: Readonly<Record<string, readonly string[]>> = {
  field: ['kind', 'field', 'operator', 'value'],
  and: ['kind', 'rules'],
  or: ['kind', 'rules'],
  not: ['kind', 'rule'],
  all: ['kind'],
  none: ['kind'],
}
const kinds = Object.keys(keysOfKinds)

function checkRule(rule: unknown, at: string, level: number, walk: Walk): void {
  const { found } = walk
  if (found.isFull || walk.leaves > mostLeaves) return
  if (level > mostLevels)
    return found.add(at, 'out_of_range', `A rule must have at most ${mostLevels} levels.`)
  if (!isRecord(rule)) return found.add(at, 'type', 'A rule must be an object with the key kind.')
  const kind = kindOf(rule, at, found)
  if (kind === null) return
  found.addUnknownKeys(rule, at, keysOfKinds[kind] ?? [])
  if (kind === 'and' || kind === 'or') return checkBranches(rule, at, level, walk)
  if (kind === 'not') return checkNegated(rule, at, level, walk)
  walk.leaves += 1
  if (kind === 'field') checkLeaf(rule, at, found)
}

function kindOf({ kind }: Record<string, unknown>, at: string, found: FoundErrors): string | null {
  const place = `${at}/kind`
  if (kind === undefined)
    found.add(place, 'required', `kind is required. It must be one of ${kinds.join(', ')}.`)
  else if (typeof kind !== 'string') found.add(place, 'type', 'kind must be a string.')
  else if (kinds.includes(kind)) return kind
  else found.addUnknown(place, 'kind', kind, kinds)
  return null
}

function checkBranches(
  { kind, rules }: Record<string, unknown>,
  at: string,
  level: number,
  walk: Walk,
): void {
  const { found } = walk
  const place = `${at}/rules`
  if (rules === undefined)
    return found.add(place, 'required', `rules is required in a rule of the kind ${String(kind)}.`)
  if (!Array.isArray(rules)) return found.add(place, 'type', 'rules must be an array of rules.')
  if (rules.length === 0) found.add(place, 'too_short', 'rules must have at least 1 rule.')
  if (rules.length > mostBranches)
    found.add(place, 'too_long', `rules must have at most ${mostBranches} rules.`)
  for (const [i, rule] of rules.slice(0, mostBranches).entries())
    checkRule(rule, `${place}/${i}`, level + 1, walk)
}

function checkNegated({ rule }: Record<string, unknown>, at: string, level: number, walk: Walk): void {
  if (rule === undefined)
    return walk.found.add(`${at}/rule`, 'required', 'rule is required in a rule of the kind not.')
  checkRule(rule, `${at}/rule`, level + 1, walk)
}
