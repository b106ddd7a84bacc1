// Uploads a file and prints the most memory that the process had, in bytes.
import { createReadStream, statSync } from 'node:fs'
import { createClient, uploadFile } from '@wbs/sdk'

const [base_url = '', path = '', kind = ''] = process.argv.slice(2)
const client = createClient({ base_url, access_token: 'token' })
const size_bytes = statSync(path).size
const source = kind === 'stream' ? createReadStream(path) : path
await uploadFile(client, source, { name: 'large.bin', size_bytes })
process.stdout.write(String(process.resourceUsage().maxRSS * 1024))
