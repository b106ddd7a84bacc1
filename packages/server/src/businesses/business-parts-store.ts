import { newId } from '@wbs/contract/ids'
import { write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { Facts } from './business-facts.ts'
import { isPrimary, type FullBusiness } from './business-record.ts'
import type { Classification, Location } from './business-store.ts'
import { foldCity, storedFold } from './fold.ts'

/** Saves the primary location of the facts and returns all locations after that. Facts without one delete it. */
export function saveLocation(
  tx: Transaction,
  { id, published_at, locations }: Pick<FullBusiness, 'id' | 'published_at' | 'locations'>,
  { country_code, state, city, postal_code, line1 }: Facts,
): Location[] {
  const others = locations.filter(location => !isPrimary(location))
  if ((state ?? city ?? postal_code ?? line1) === null) {
    tx.save(locationDelete, { business_id: id })
    return others
  }
  const saved: Location = {
    location_id: newId('loc'),
    kind: 'principal',
    published: published_at !== null,
    ...locations.find(isPrimary),
    is_primary: true,
    country_code,
    state,
    city,
    postal_code,
    line1,
  }
  const city_folded = city === null ? null : foldCity(city)
  tx.save(locationSave, { ...saved, business_id: id, city_folded, state_folded: storedFold(state) })
  return [saved, ...others]
}

/** Saves the primary classification in the same way. `title` is the title of the code in its NAICS edition. */
export function saveClassification(
  tx: Transaction,
  { id, published_at, classifications }: Pick<FullBusiness, 'id' | 'published_at' | 'classifications'>,
  { naics_code: code, naics_vintage }: Facts,
  title: string | null,
): Classification[] {
  const others = classifications.filter(classification => !isPrimary(classification))
  if (code === null) {
    tx.save(classificationDelete, { business_id: id })
    return others
  }
  const vintage = naics_vintage as Classification['vintage']
  const saved: Classification = {
    classification_id: newId('cls'),
    scheme: 'naics',
    published: published_at !== null,
    ...classifications.find(isPrimary),
    is_primary: true,
    code,
    vintage,
    title,
  }
  tx.save(classificationSave, { ...saved, business_id: id })
  return [saved, ...others]
}

/** Publishes the primary location and classification of a Business. */
export function publishPrimaryParts(tx: Transaction, business_id: string): void {
  tx.save(locationPublish, { business_id })
  tx.save(classificationPublish, { business_id })
}

/** The parts of a Business after publishPrimaryParts. */
export const withPrimaryPublished = <Part extends { is_primary: boolean; published: boolean }>(
  parts: readonly Part[],
): Part[] => parts.map(part => (isPrimary(part) ? { ...part, published: true } : part))

const locationPublish = write(
  'business_location_publish',
  'update business_locations set published = true where business_id = :business_id and is_primary',
)
const classificationPublish = write(
  'business_classification_publish',
  'update business_classifications set published = true where business_id = :business_id and is_primary',
)

const locationDelete = write(
  'business_location_delete',
  'delete from business_locations where business_id = :business_id and is_primary',
)
const locationSave = write(
  'business_location_save',
  `insert into business_locations (id, business_id, kind, country_code, state, state_folded, city, city_folded, postal_code, line1, is_primary, published)
   values (:location_id, :business_id, 'principal', :country_code, :state, :state_folded, :city, :city_folded, :postal_code,
     :line1, true, :published)
   on conflict (business_id) where is_primary do update
     set country_code = excluded.country_code, state = excluded.state,
       state_folded = excluded.state_folded, city = excluded.city,
       city_folded = excluded.city_folded, postal_code = excluded.postal_code, line1 = excluded.line1`,
)

const classificationDelete = write(
  'business_classification_delete',
  'delete from business_classifications where business_id = :business_id and is_primary',
)
const classificationSave = write(
  'business_classification_save',
  `insert into business_classifications (id, business_id, scheme, code, vintage, is_primary, published)
   values (:classification_id, :business_id, 'naics', :code, :vintage, true, :published)
   on conflict (business_id) where is_primary do update set code = excluded.code, vintage = excluded.vintage`,
)
