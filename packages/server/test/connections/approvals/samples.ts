import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { freshConnection } from '../fresh-connection.ts'
import { freshApproval } from './fresh-approval.ts'

/** A decision about a pending approval of the owner. */
const deciding = async (world: World) => {
  const { approval_id } = await freshApproval(world)
  return { approval_id, expected_revision: 1 }
}

/** They may edit the Room, but are not asked, and did not request it. */
const onlyWhoIsAsked = { member: 403, admin: 403 }

export const samples = {
  request_approval: {
    input: async world => ({
      ...(await freshConnection(world)),
      operation: 'change',
      arguments: { text: 'Paid' },
    }),
    others: {
      'that runs at once': async world => ({
        ...(await freshConnection(world)),
        operation: 'look',
        arguments: {},
      }),
    },
  },
  list_approvals: { input: () => ({}) },
  get_approval: {
    input: async world => ({ approval_id: (await freshApproval(world)).approval_id }),
  },
  approve_approval: {
    input: async world => {
      const { approval_id, arguments_sha256 } = await freshApproval(world)
      return { approval_id, expected_revision: 1, arguments_sha256 }
    },
    answers: onlyWhoIsAsked,
  },
  decline_approval: { input: deciding, answers: onlyWhoIsAsked, roundTrips: 2 },
  cancel_approval: {
    input: deciding,
    // The owner has requested it in person, which no API key cancels.
    answers: { ...onlyWhoIsAsked, key: 403 },
    roundTrips: 2,
  },
} satisfies Samples
