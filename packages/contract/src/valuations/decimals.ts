import { Type as T } from 'typebox'

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

/** The form of a ratio. A rate is a fraction: 0.25 is 25 percent. */
export const ratioPattern = '^-?(?:0|[1-9][0-9]{0,5})(?:\\.[0-9]{1,18})?$'

/** A ratio of a request, as a fraction. */
export const ratio = (description: string, example = '0.25') =>
  decimalText(ratioPattern, `${description} A fraction as a decimal string: 0.25 is 25 percent.`, example)

/** A ratio that cannot be negative. */
export const share = (description: string, example = '0.25') =>
  decimalText(
    '^(?:0|[1-9][0-9]{0,5})(?:\\.[0-9]{1,18})?$',
    `${description} A fraction of at least 0, as a decimal string: 0.25 is 25 percent.`,
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
