import { factNames } from '@wbs/contract/businesses/facts'
import type { BusinessRow } from './business-view.ts'
import { usState } from './fact-formats.ts'

export type FactName = (typeof factNames)[number]

/** The facts that people can change. The location and the classification are the primary ones. */
export type Facts = Record<Exclude<FactName, 'name' | 'status' | 'country_code'>, string | null> & {
  name: string
  status: BusinessRow['status']
  country_code: string
}

/** Applies given facts to a Business; facts that are not given stay. Only a closed Business keeps its day of closing. */
export function applyFacts(before: Facts, given: Partial<Facts>): Facts {
  const after: Facts = { ...pick(before), ...given }
  if (given.naics_code === null) after.naics_vintage = null
  else if (given.naics_code !== undefined) after.naics_vintage = given.naics_vintage ?? '2022'
  if (given.status !== undefined && given.status !== 'closed' && given.closed_on === undefined)
    after.closed_on = null
  if (after.country_code === 'US' && after.state !== null) after.state = usState(after.state) ?? after.state
  return after
}

/** The facts in which two states differ. */
export const changedFactNames = (before: Facts, after: Facts): FactName[] =>
  factNames.filter(name => before[name] !== after[name])

function pick(from: Facts): Facts {
  return Object.fromEntries(factNames.map(name => [name, from[name]])) as Facts
}

export const locationFacts: readonly FactName[] = ['country_code', 'state', 'city', 'postal_code', 'line1']
export const classificationFacts: readonly FactName[] = ['naics_code', 'naics_vintage']

/** What decides which facts are public. */
interface Published {
  publication_status: string
  location_id: string | null
  location_published: boolean | null
  classification_id: string | null
  classification_published: boolean | null
}

/**
 * Which of these facts are public after a change. Facts of an unpublished location or classification stay private; a new one is
 * published with its Business.
 */
export function publicFactsAmong(business: Published, names: readonly FactName[]): FactName[] {
  if (business.publication_status !== 'published') return []
  const locationIsPublic = business.location_id === null || business.location_published === true
  const classificationIsPublic =
    business.classification_id === null || business.classification_published === true
  return names.filter(name => {
    if (name === 'country_code') return true
    if (locationFacts.includes(name)) return locationIsPublic
    return classificationFacts.includes(name) ? classificationIsPublic : true
  })
}

/** The fields that changed after a revision. */
export const changedSince = (
  revisions: Readonly<Record<string, number>> | null,
  revision: number,
): string[] => Object.entries(revisions ?? {}).flatMap(([field, at]) => (at > revision ? [field] : []))
