import type pg from 'pg'
import type { Words } from './lists-rules.ts'

/** Chooses the words of the rules by their frequency in the data, so that results on different data are comparable. */
export async function wordsOf(client: pg.Client): Promise<Words> {
  const words = await strings(
    client,
    `with words as (
       select word, count(*) as n
       from (select name_folded from published_businesses tablesample system (2) repeatable (1)) sample,
            regexp_split_to_table(sample.name_folded, '[^a-z]+') word
       where length(word) >= 4 group by word)
     select word as text from words order by n desc, word`,
  )
  const once = words.slice(-2000)
  return {
    commonWords: words.slice(0, 20),
    rareWord: await firstWith(
      client,
      once,
      'select count(*)::integer as n from published_businesses where name_folded like $1',
    ),
    rareDescription: await firstWith(
      client,
      await strings(
        client,
        `select lower(description) as text from published_businesses tablesample system (0.5) repeatable (1)
         where description is not null group by 1 having count(*) = 1 order by 1`,
      ),
      'select count(*)::integer as n from published_businesses where lower(description) like $1',
    ),
    names: await strings(
      client,
      `select name as text from published_businesses tablesample system (1) repeatable (1)
       where name !~ '[^A-Za-z .,&]' order by md5(id) limit 20`,
    ),
  }
}

async function strings(client: pg.Client, text: string): Promise<string[]> {
  return (await client.query<{ text: string }>(text)).rows.map(row => row.text)
}

/** The first text that at least one Business in a million has, and at most 50 of them. */
async function firstWith(client: pg.Client, texts: readonly string[], countSql: string): Promise<string> {
  for (const text of texts) {
    if (/[\\%_]/.test(text)) continue
    const { rows } = await client.query<{ n: number }>(countSql, [`%${text}%`])
    const n = rows[0]?.n ?? 0
    if (n >= 5 && n <= 50) return text
  }
  throw new Error('No text is as rare as the bench needs one.')
}
