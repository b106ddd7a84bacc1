import { workInRoom } from '../out/work-in-room.js'

addEventListener('message', async ({ data }) => {
  postMessage(await workInRoom(data).catch(error => ({ error: String(error?.stack ?? error) })))
})
