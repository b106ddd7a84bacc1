import type { FactType } from '@wbs/contract/lists/rules'
import type { Placeholders } from '../../database/composed-read.ts'
import { isDay } from '../../businesses/fact-formats.ts'
import { foldText } from '../../businesses/fold.ts'
import { daySql, textSql, type Comparison } from './comparison-sql.ts'

/**
 * SQL: whether a value meets a comparison. The value is in the column of its type, and texts are folded with foldText; the
 * other columns are null. The operand decides with which type it is compared.
 */
export function typedValueSql(
  columns: Readonly<Record<FactType, string>>,
  comparison: Comparison,
  placeholders: Placeholders,
  today: string,
): string {
  const { operator, value } = comparison
  const { date, number } = columns
  const { add } = placeholders
  const [first] = Array.isArray(value) ? value : [value]
  switch (operator) {
    case 'before':
    case 'after':
    case 'within_last':
      return daySql(date, comparison, placeholders, today)
    case 'between':
      if (typeof first === 'string') return daySql(date, comparison, placeholders, today)
      return `(${number} >= ${add('from', first)} and ${number} <= ${add('to', (value as number[])[1])})`
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return `${number} ${comparisons[operator]} ${add('number', value)}`
    default:
  }
  if (typeof first === 'boolean') return `${columns.boolean} = ${add('boolean', first)}`
  if (typeof first === 'number') return `${number} ${operator === 'eq' ? '=' : '<>'} ${add('number', first)}`
  const compared = textSql({ sql: columns.text, fold: foldText }, comparison, placeholders)
  return operator === 'eq' && isDay(first as string)
    ? `(${compared} or ${daySql(date, comparison, placeholders, today)})`
    : compared
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
