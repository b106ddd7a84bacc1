// Reads 100,000 events of a server in this process's parent, slowly at first, and prints what it saw and how much memory it
// had at most, in bytes.
import { createClient } from '@wbs/sdk'

const [base_url = '', count = ''] = process.argv.slice(2)
let seen = 0
let inOrder = true
let most = 0
for await (const { id } of createClient({ base_url, access_token: 'token' }).events.follow({ cursor: '1' })) {
  seen++
  inOrder &&= id === `evt_${seen}`
  if (seen % 1000 === 0) most = Math.max(most, process.memoryUsage().rss)
  if (seen === 10) {
    await new Promise(resolve => setTimeout(resolve, 3000))
    process.send?.('read on')
  }
  if (seen === Number(count)) break
}
process.stdout.write(JSON.stringify({ seen, inOrder, most }))
process.exit()
