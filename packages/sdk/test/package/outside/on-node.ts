import { workInRoom } from './work-in-room.js'

const { SVC_URL = '', SVC_TOKEN = '' } = process.env
const seen = await workInRoom({ base_url: SVC_URL, access_token: SVC_TOKEN })
process.stdout.write(JSON.stringify(seen))
