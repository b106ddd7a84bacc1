import type { BusinessParts } from './business-store.ts'
import { presentRecord, type BusinessRecordRow } from './business-view.ts'

/** The fields that come from the primary location and classification. */
type PrimaryPartFields =
  | 'primary_location_id'
  | 'country_code'
  | 'state'
  | 'city'
  | 'primary_classification_id'
  | 'naics_code'
  | 'naics_vintage'
  | 'naics_title'

/** A Business with all its parts, published or not. */
export interface FullBusiness extends Omit<BusinessRecordRow, PrimaryPartFields>, BusinessParts {
  /** The country if the primary location does not name one. */
  own_country_code: string
}

/**
 * The answer of a change of a Business: its published fields, or all fields if it is not published. It must agree with the
 * database's projection, which reads use.
 */
export function businessAnswer(business: FullBusiness) {
  const { own_country_code, revision } = business
  const publicOnly = isPublic(business)
  const shown = <Part extends { published: boolean }>(parts: readonly Part[]) =>
    parts.filter(part => part.published || !publicOnly)
  const classifications = shown(business.classifications)
  const locations = shown(business.locations)
  const location = locations.find(isPrimary)
  const classification = classifications.find(isPrimary)
  const record: BusinessRecordRow = {
    ...business,
    primary_location_id: location?.location_id ?? null,
    country_code: location?.country_code ?? own_country_code,
    state: location?.state ?? null,
    city: location?.city ?? null,
    primary_classification_id: classification?.classification_id ?? null,
    naics_code: classification?.code ?? null,
    naics_vintage: classification?.vintage ?? null,
    naics_title: classification?.title ?? null,
  }
  return {
    result: {
      data: {
        ...presentRecord(record),
        classifications,
        locations,
        identifiers: shown(business.identifiers),
      },
      projection: publicOnly ? ('public' as const) : ('workspace' as const),
    },
    revision,
  }
}

/** Whether everybody can read it: it is published, or was merged after it had been published. */
const isPublic = ({ publication_status, published_at }: FullBusiness): boolean =>
  publication_status === 'published' || (publication_status === 'merged' && published_at !== null)

export const isPrimary = (part: { is_primary: boolean }): boolean => part.is_primary
