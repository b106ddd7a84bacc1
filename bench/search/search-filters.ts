import type pg from 'pg'

/**
 * The filters of the search benchmark: friendly and adversarial words, alone and with each other filter. Words are
 * chosen by their frequency in the data, so that results on different data are comparable.
 */
export async function searchFilters(client: pg.Client): Promise<string[]> {
  const words = await wordsByFrequency(client)
  const texts = [
    ...words,
    'llc', // in a third of all names
    'inc',
    'ing', // a trigram of very many words
    'the ',
    'qzx', // in none
    'zzyzx road',
    'church of',
    'first national',
    'main street',
    'a & b',
    'aaaaaaa',
  ].map(text => text.trim())
  const narrowings = [
    '',
    'state=CA',
    'state=MT',
    'state=GA&city=atlanta',
    'city=springfield',
    'naics_code=23&naics_vintage=2017',
    'naics_code=541110&naics_vintage=2017',
    'status=closed',
    'status=active&state=GA',
    'state=MA&naics_code=722&naics_vintage=2017&status=unknown',
  ]
  const filters = texts.flatMap(text =>
    narrowings.map(narrowing => [`query=${encodeURIComponent(text)}`, narrowing].filter(Boolean).join('&')),
  )
  return [
    ...new Set([
      ...filters,
      ...narrowings,
      'website_url=https://www.example.com/4711',
      'website_url=https://nowhere.example/',
    ]),
  ]
}

/** Words of the data at several frequencies, from the most common to one that occurs once. */
async function wordsByFrequency(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ word: string }>(`
    with words as (
      select word, count(*) as n
      from (select name_folded from published_businesses tablesample system (2)) sample,
           regexp_split_to_table(sample.name_folded, '[^a-z]+') word
      where length(word) >= 4
      group by word
    ), ranked as (select word, row_number() over (order by n desc, word) as rank, count(*) over () as total from words)
    select word from ranked
    where rank in (1, 3, 10, 30, 100, 300, 1000, 3000, 10000) or rank = total
    order by rank`)
  return rows.map(row => row.word)
}
