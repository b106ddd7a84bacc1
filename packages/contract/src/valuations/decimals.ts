import { T } from '../json/type.ts'

const decimalText = (pattern: string, description: string, example: string) =>
  T.Unsafe<string>({ type: 'string', pattern, description, examples: [example] })

const digits = '(?:0|[1-9][0-9]{0,17})(?:\\.[0-9]{1,12})?'

/** An amount of money of a request, in the currency of the valuation. */
export const money = (description: string, example = '80000') =>
  decimalText(
    `^-?${digits}$`,
    `${description} A decimal number as a string, with at most 18 digits before the point.`,
    example,
  )

/** An amount that cannot be negative. */
export const amount = (description: string, example = '80000') =>
  decimalText(`^${digits}$`, `${description} A decimal number of at least 0, as a string.`, example)

/** A ratio of a request, such as a beta. */
export const ratio = (description: string, example = '0.25') =>
  decimalText(
    '^-?(?:0|[1-9][0-9]{0,5})(?:\\.[0-9]{1,18})?$',
    `${description} A decimal number as a string.`,
    example,
  )

/** A ratio that cannot be negative. */
export const share = (description: string, example = '0.25') =>
  decimalText(
    '^(?:0|[1-9][0-9]{0,5})(?:\\.[0-9]{1,18})?$',
    `${description} A fraction of at least 0, as a decimal string: 0.25 is 25 percent.`,
    example,
  )

/** The form of a rate from -1 to 1: 3 for 3 percent is refused. */
export const ratePattern = '^-?(?:0(?:\\.[0-9]{1,18})?|1(?:\\.0{1,18})?)$'

/** A rate of a request, such as growth or a premium. */
export const rate = (description: string, example = '0.05') =>
  decimalText(
    ratePattern,
    `${description} A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent.`,
    example,
  )

/** A rate that cannot be negative. */
export const rateFromZero = (description: string, example = '0.05') =>
  decimalText(
    '^(?:0(?:\\.[0-9]{1,18})?|1(?:\\.0{1,18})?)$',
    `${description} A fraction from 0 to 1, as a decimal string: 0.05 is 5 percent.`,
    example,
  )

/** A rate that is at times above 100 percent, and in a percentage seldom below 10: a volatility or a premium for control. */
export const wideRate = (description: string, example = '0.25') =>
  decimalText(
    '^[0-9](?:\\.[0-9]{1,18})?$',
    `${description} A fraction of at least 0 and below 10, as a decimal string: 0.25 is 25 percent.`,
    example,
  )

/** A percentage of a request, from 0 to 100. */
export const percent = (description: string, example = '100') =>
  decimalText(
    '^(?:100(?:\\.0{1,12})?|[1-9]?[0-9](?:\\.[0-9]{1,12})?)$',
    `${description} From 0 to 100, as a decimal string.`,
    example,
  )

/** A currency, as in ISO 4217. */
export const currency = (description = 'The currency.') =>
  decimalText('^[A-Z]{3}$', `${description} Three capital letters, as in ISO 4217.`, 'USD')
