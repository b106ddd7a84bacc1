/** What connections may reach. */
export interface PluginSettings {
  /** The hosts that http_json may reach, each as host or host:port. None by default. */
  hosts: readonly string[]
  /** Whether these hosts may have private addresses and plain HTTP. For development only. */
  allowPrivate: boolean
}

const hostForm =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[1-9][0-9]{0,4})?$/

/** The hosts of SVC_CONNECTION_HOSTS, in lower case. Throws an error that says what is valid. */
export function connectionHosts(names: readonly string[]): string[] {
  const hosts = names.map(name => name.toLowerCase())
  if (hosts.every(host => hostForm.test(host))) return hosts
  throw new Error(
    'SVC_CONNECTION_HOSTS must be a list of hosts without a scheme or a path, such as api.example.com,data.example.org:8443.',
  )
}
