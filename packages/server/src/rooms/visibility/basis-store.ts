import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import { asViewer, generalLevelSql, levelInSql, type Viewer } from './room-visibility-store.ts'

/** Why a user can open a Room: their participation or their membership. What was granted on this basis ends with it. */
export interface Basis {
  /** Their participation, if they have one. */
  participant_id: string | null
  /** Their membership in the Workspace. Null for a guest. */
  membership_id: string | null
  email: string | null
  name: string | null
  /** Their level in the Room now. */
  access_level: AccessLevel
}

/**
 * Why `user` can open a Room now. Undefined if they cannot, or if the asker cannot see them in the Room.
 */
export const basisInRoom = (
  reader: Reader,
  user: Viewer,
  room_id: string,
  { user_id: asker_id, sees_all }: { user_id: string; sees_all: boolean },
): Promise<Basis | undefined> => reader.one(basisOfUser, { ...asViewer(user), room_id, sees_all, asker_id })

/**
 * SQL: whether the basis on which a user could open the Room of the row still exists. `participant_id` and `membership_id` are the
 * columns in which the row has it.
 */
export const basisLastsSql = (
  row: string,
  { participant_id, membership_id } = { participant_id: 'participant_id', membership_id: 'membership_id' },
) =>
  `exists (select from lasting_basis(:workspace_id, ${row}.room_id, ${row}.${participant_id}, ${row}.${membership_id}))`

const basisOfUser = read<Basis>(
  'room_basis_of_user',
  `select part.participant_id, case when part.participant_id is null then held.id else part.membership_id end as membership_id,
     u.email, u.name, ${levelInSql('r')} as access_level
   from rooms r join users u on u.id = :viewer_id
   left join lateral participation_in_room(:workspace_id, r.id, :viewer_id) part on true
   left join membership_of(:workspace_id, :viewer_id) as held (id) on true
   where r.workspace_id = :workspace_id and r.id = :room_id and (:sees_all::boolean or :is_member::boolean or :asker_id::uuid = :viewer_id)
     and (part.participant_id is not null or ${generalLevelSql('r')} is not null and held.id is not null)`,
)
