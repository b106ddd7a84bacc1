import type { BusinessParts } from './business-store.ts'
import { presentRecord, type BusinessRecordRow } from './business-view.ts'

/** What a Business has of its primary location and classification. */
type OfPrimaryParts =
  | 'primary_location_id'
  | 'country_code'
  | 'state'
  | 'city'
  | 'primary_classification_id'
  | 'naics_code'
  | 'naics_vintage'
  | 'naics_title'

/** A Business with all its parts, published or not, as it is saved. */
export interface WholeBusiness extends Omit<BusinessRecordRow, OfPrimaryParts>, BusinessParts {
  /** Where it is as far as its primary location does not say. */
  own_country_code: string
}

/**
 * A whole Business after a change, as its Workspace reads it: what is published of it, or all of it where it is not. What it
 * shows is what reads show by the projection of the database.
 */
export function answerOf(business: WholeBusiness) {
  const { own_country_code, revision } = business
  const publicOnly = isPublic(business)
  const shown = <Part extends { published: boolean }>(parts: readonly Part[]) =>
    parts.filter(part => part.published || !publicOnly)
  const classifications = shown(business.classifications)
  const locations = shown(business.locations)
  const place = locations.find(isPrimary)
  const trade = classifications.find(isPrimary)
  const record: BusinessRecordRow = {
    ...business,
    primary_location_id: place?.location_id ?? null,
    country_code: place?.country_code ?? own_country_code,
    state: place?.state ?? null,
    city: place?.city ?? null,
    primary_classification_id: trade?.classification_id ?? null,
    naics_code: trade?.code ?? null,
    naics_vintage: trade?.vintage ?? null,
    naics_title: trade?.title ?? null,
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

/** Whether everybody can read it: it is published, or was merged once it had been. */
const isPublic = ({ publication_status, published_at }: WholeBusiness): boolean =>
  publication_status === 'published' || (publication_status === 'merged' && published_at !== null)

export const isPrimary = (part: { is_primary: boolean }): boolean => part.is_primary
