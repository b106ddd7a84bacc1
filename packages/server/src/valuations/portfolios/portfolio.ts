import type { DescribedPortfolio } from './portfolio-store.ts'

const described = ['business_id', 'name', 'currency'] as const satisfies (keyof DescribedPortfolio)[]

/** The fields in which an edited portfolio differs. */
export const changedFields = (before: DescribedPortfolio, after: DescribedPortfolio): string[] =>
  described.filter(field => before[field] !== after[field])
