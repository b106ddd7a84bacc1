import { getBusiness } from '@wbs/contract/businesses/businesses'
import { implement } from '../call/implement.ts'
import { provenanceOf } from './business-provenance.ts'
import {
  classificationsOf,
  identifiersOf,
  locationsOf,
  publishedRecord,
  workspaceRecord,
} from './business-store.ts'
import { presentRecord } from './business-view.ts'

export const handleGetBusiness = implement(getBusiness, async function getBusiness(input, context) {
  const { read, standing, refuse } = context
  const wanted = new Set(input.include)
  const mayReadDrafts = standing?.permissions.has('businesses:read') === true
  const published = await publishedRecord(read, input.business_id)
  const record =
    published ??
    (mayReadDrafts ? await workspaceRecord(read, standing.workspace_id, input.business_id) : undefined)
  if (!record) throw refuse.not_found('There is no such Business, or it is not published.')

  const publicOnly = published !== undefined
  const [classifications, locations, identifiers, provenance] = await Promise.all([
    wanted.has('classifications') ? classificationsOf(read, record.id, publicOnly) : undefined,
    wanted.has('locations') ? locationsOf(read, record.id, publicOnly) : undefined,
    wanted.has('identifiers') ? identifiersOf(read, record.id, publicOnly) : undefined,
    wanted.has('provenance') ? provenanceOf(context, [record], input.fields) : undefined,
  ])
  return {
    result: {
      data: {
        ...presentRecord(record, input.fields),
        ...(classifications && { classifications }),
        ...(locations && { locations }),
        ...(identifiers && { identifiers }),
        ...(provenance && { provenance }),
      },
      projection: publicOnly ? 'public' : 'workspace',
      schema_version: 'svc.business.v1',
      as_of: context.asOf().toISOString(),
    },
    revision: record.revision,
  }
})
