import { handleGetMe } from './get-me.ts'
import { handleListMyRooms } from './list-my-rooms.ts'

/** The handlers of this slice. Add a line for each new handler. */
export const meHandlers = [handleGetMe, handleListMyRooms]
