import { isDeepStrictEqual } from 'node:util'
import type { DescribedAsset } from './asset-store.ts'

const described = [
  'business_id',
  'class',
  'cost',
  'acquired_on',
  'condition',
  'description',
] as const satisfies (keyof DescribedAsset)[]

/** The fields in which an edited asset differs. */
export const changedFields = (before: DescribedAsset, after: DescribedAsset): string[] =>
  described.filter(field => !isDeepStrictEqual(before[field], after[field]))
