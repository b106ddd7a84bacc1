import { businessFields, searchBusinesses } from '@wbs/contract/businesses'
import { implement } from '../call/implement.ts'
import { mayReadProvenance, provenanceOf } from './business-provenance.ts'
import { publishedBusinesses } from './business-search.ts'
import { presentBusiness } from './business-view.ts'

export const handleSearchBusinesses = implement(searchBusinesses, async (input, context) => {
  const { limit = 20, fields } = input
  const [{ rows: page, cursor }, withProvenance] = await Promise.all([
    publishedBusinesses(context.read, input, limit),
    mayReadProvenance(context),
  ])
  const provenance = withProvenance
    ? await provenanceOf(context.read, page, fields ?? businessFields)
    : undefined
  return {
    result: {
      data: page.map(business => presentBusiness(business, fields)),
      page: { cursor, has_more: cursor !== null },
      projection: 'public',
      schema_version: 'svc.business.v1',
      as_of: context.now.toISOString(),
      ...(provenance && { provenance }),
    },
  }
})
