import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

interface NamedLink {
  workspace_id: string
  link_id: string
}

export const isUsedLink = async (reader: Reader, { workspace_id, link_id }: NamedLink): Promise<boolean> =>
  (await reader.one(linkUsed, { workspace_id, link_id })) !== undefined

/** Marks a link as used. False if it was used before. */
export const useLink = async (tx: Transaction, { workspace_id, link_id }: NamedLink): Promise<boolean> =>
  (await tx.run(linkUse, { workspace_id, link_id })).length === 1

const linkUsed = read<{ id: string }>(
  'download_link_used',
  'select id from used_download_links where workspace_id = :workspace_id and id = :link_id',
)

// Links live for minutes, so those that were used an hour ago have expired.
const linkUse = write<{ id: string }>(
  'download_link_use',
  `with old as (
     delete from used_download_links
     where (workspace_id, id) in (
       select workspace_id, id from used_download_links
       where workspace_id = :workspace_id and used_at < statement_timestamp() - interval '1 hour'
       order by used_at limit 10 for update skip locked)
   )
   insert into used_download_links (workspace_id, id, used_at) values (:workspace_id, :link_id, statement_timestamp())
   on conflict do nothing returning id`,
)
