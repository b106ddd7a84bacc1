import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The servers of a Swift. The proxy is the one that speaks S3. */
export const swiftServers = ['account', 'container', 'object', 'proxy'] as const
export type SwiftServer = (typeof swiftServers)[number]
export type SwiftPorts = Record<SwiftServer, number>

/** The only account of the Swift of a test. */
export const swiftKeys = { access_key_id: 'test:tester', secret_access_key: 'testing' }

/** Writes the settings of all servers into a folder. */
export async function writeSwiftSettings(folder: string, ports: SwiftPorts): Promise<void> {
  await mkdir(join(folder, 'devices', 'd1'), { recursive: true })
  await writeFile(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = test\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = default\ndefault = yes\n',
  )
  for (const server of swiftServers) {
    const settings = server === 'proxy' ? proxySettings : storageSettings(server)
    await writeFile(join(folder, `${server}.conf`), `${commonSettings(folder, ports[server])}${settings}`)
  }
}

const commonSettings = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
log_address = ${join(folder, 'no-log')}
user = root
`

const storageSettings = (server: SwiftServer) => `
[pipeline:main]
pipeline = ${server}-server
[app:${server}-server]
use = egg:swift#${server}
`

const proxySettings = `
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth copy dlo slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
min_segment_size = 1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${swiftKeys.secret_access_key} .admin
[filter:copy]
use = egg:swift#copy
[filter:dlo]
use = egg:swift#dlo
[filter:slo]
use = egg:swift#slo
`
