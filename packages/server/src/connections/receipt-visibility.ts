import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { approvalById } from './approvals/approval-store.ts'
import { connectionById } from './connection-store.ts'

/** Whether a caller can see what a receipt names. */
export const connectionVisibility: Pick<VisibilityChecks, 'connection' | 'approval'> = {
  connection: async (id, context) => (await connectionById(context.tx, viewerOf(context), id)) !== undefined,
  approval: async (id, context) => (await approvalById(context.tx, viewerOf(context), id)) !== undefined,
}
