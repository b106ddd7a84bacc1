import { businessFields } from '@wbs/contract/businesses/businesses'
import { searchBusinesses } from '@wbs/contract/businesses/search'
import { implement } from '../../call/implement.ts'
import { provenanceOf } from '../business-provenance.ts'
import { publishedBusinesses } from './business-search.ts'
import type { PartitionBounds } from './partitions.ts'
import { presentBusiness } from '../business-view.ts'

/** In this time twenty partitions without the word of a search are read. */
const walkMilliseconds = 50

export const createSearchBusinesses = (boundsOfPartitions: PartitionBounds) =>
  implement(searchBusinesses, async function searchBusinesses(input, context) {
    const { limit = 20, fields } = input
    const { rows: page, cursor } = await publishedBusinesses(context.read, input, limit, {
      bounds: await boundsOfPartitions(),
      milliseconds: walkMilliseconds,
    })
    const provenance = await provenanceOf(context, page, fields ?? businessFields)
    return {
      result: {
        data: page.map(business => presentBusiness(business, fields)),
        page: { cursor, has_more: cursor !== null },
        projection: 'public',
        schema_version: 'svc.business.v1',
        as_of: context.asOf().toISOString(),
        ...(provenance && { provenance }),
      },
    }
  })
