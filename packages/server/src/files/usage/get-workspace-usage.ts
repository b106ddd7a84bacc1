import { getWorkspaceUsage } from '@wbs/contract/files/usage'
import { implement } from '../../call/implement.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import type { StorageLimits } from './storage-limit-store.ts'
import { usageOf, usageOfRooms } from './usage-store.ts'

export const handleGetWorkspaceUsage = ({ workspace_bytes }: StorageLimits) =>
  implement(getWorkspaceUsage, async function getWorkspaceUsage({ workspace_id }, context) {
    const { read } = context
    const rows = await usageOfRooms(read, viewerOf(context))
    const rooms = rows.filter(({ room_id }) => room_id !== null)
    const together = rows.find(({ room_id }) => room_id === null)
    const { storage_limit_bytes, ...usage } = await usageOf(read, workspace_id)
    const limits = [workspace_bytes, storage_limit_bytes].filter(limit => limit !== null)
    // A File that was added between the two reads is not counted as being elsewhere.
    const elsewhere = {
      room_id: null,
      title: null,
      stored_bytes: Math.max(0, usage.stored_bytes - (together?.stored_bytes ?? 0)),
      files: Math.max(0, usage.files - (together?.files ?? 0)),
    }
    return {
      result: {
        data: {
          ...usage,
          limit_bytes: limits.length > 0 ? Math.min(...limits) : null,
          by_room: [...rooms, elsewhere],
        },
      },
    }
  })
