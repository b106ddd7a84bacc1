/**
 * SQL: the texts of Businesses as foldText folds them, to compare with folded text. Each takes the alias of the row that has the
 * text, and is null where there is none. The names of Businesses are folded in `name_folded` of their rows.
 */

/** The folded description of a row of `businesses`. */
export const foldedDescriptionSql = (business: string): string =>
  foldedSql(`${business}.description`, `${business}.description_folded`)

/** The folded state of a row of `business_locations`. */
export const foldedStateSql = (location: string): string =>
  foldedSql(`${location}.state`, `${location}.state_folded`)

/** The folded city of a row of `business_locations`. Search folds it with foldCity, so the other side must be folded so too. */
export const foldedCitySql = (location: string): string => `${location}.city_folded`

/** The folded title of a row of `naics_codes`. Their only other characters than ASCII are apostrophes, which stay. */
export const foldedTitleSql = (code: string): string => foldedSql(`${code}.title`, 'null')

/** The folded text of a row of `business_observations`; null if its value is of another type. */
export const foldedObservationSql = (observation: string): string =>
  `case when ${observation}.value_type = 'text' then ${foldedSql(`${observation}.value #>> '{}'`, `${observation}.text_folded`)} end`

/**
 * The folded texts of a row of `published_businesses`. Those beyond ASCII are looked up beside the facts; for others that
 * would cost a join for each row.
 */
export const foldedPublishedSql = {
  description: (published: string) =>
    asciiOrSql(
      `${published}.description`,
      folded => folded,
      `select ${foldedDescriptionSql('f')} from businesses f where f.id = ${published}.id`,
    ),
  state: (published: string) =>
    asciiOrSql(
      `${published}.state`,
      folded => folded,
      `select ${foldedStateSql('f')} ${locationOfSql(published)}`,
    ),
  city: (published: string) =>
    asciiOrSql(
      `${published}.city`,
      () => `lower(btrim(${published}.city, E' \\t\\n\\v\\f\\r') collate "C")`,
      `select ${foldedCitySql('f')} ${locationOfSql(published)}`,
    ),
  naics_title: (published: string) => foldedSql(`${published}.naics_title`, 'null'),
}

/** The fold of a text: the first expression for pure ASCII, else what is found. */
const asciiOrSql = (text: string, ofAscii: (folded: string) => string, found: string) =>
  `(case when octet_length(${text}) = char_length(${text}) then ${ofAscii(foldedSql(text, 'null'))} else (${found}) end)`

const locationOfSql = (published: string) =>
  `from business_locations f where f.business_id = ${published}.id and f.id = ${published}.primary_location_id`

// The collation that the stored folds have.
const foldedSql = (text: string, fold: string): string => `(folded_text(${text}, ${fold}) collate "C")`
