import { read, type Reader } from '../database/statement.ts'

/** The active Rooms of a Workspace with a Business, in the order of their ids, after one of them. */
export const activeRoomsOfBusiness = async (
  reader: Reader,
  workspace_id: string,
  business_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> =>
  (await reader.many(roomsOfBusiness, { workspace_id, business_id, after, limit })).map(
    ({ room_id }) => room_id,
  )

const roomsOfBusiness = read<{ room_id: string }>(
  'valuation_rooms_of_business',
  `select r.id as room_id from rooms r
   where r.workspace_id = :workspace_id and r.business_id = :business_id and r.id > :after and r.status = 'active'
   order by r.id limit :limit`,
  'long',
)
