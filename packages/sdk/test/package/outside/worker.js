import { workInRoom } from '../out/work-in-room.js'

addEventListener('message', ({ data }) => {
  const failed = error => ({ error: String(error?.stack ?? error) })
  void workInRoom(data).catch(failed).then(postMessage)
})
