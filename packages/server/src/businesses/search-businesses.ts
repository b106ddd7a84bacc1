import { searchBusinesses } from '@wbs/contract/businesses'
import { implement } from '../call/implement.ts'
import { mayReadProvenance, provenanceOf } from './business-provenance.ts'
import { publishedBusinesses } from './business-search.ts'
import { presentBusiness } from './business-view.ts'

export const handleSearchBusinesses = implement(searchBusinesses, async (input, context) => {
  const { limit = 20, fields } = input
  const found = await publishedBusinesses(context.read, input, limit + 1)
  const page = found.slice(0, limit)
  const has_more = found.length > limit
  const provenance = (await mayReadProvenance(context))
    ? await provenanceOf(
        context.read,
        page.map(business => business.id),
        fields,
      )
    : undefined
  return {
    result: {
      data: page.map(business => presentBusiness(business, fields)),
      page: { cursor: has_more ? (page.at(-1)?.id ?? null) : null, has_more },
      projection: 'public',
      schema_version: 'svc.business.v1',
      as_of: context.now.toISOString(),
      ...(provenance && { provenance }),
    },
  }
})
