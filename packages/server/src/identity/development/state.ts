import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

interface Entry {
  payload: AdapterPayload
  /** Milliseconds since the epoch. */
  expires: number
}

/**
 * Stores the provider's state (sessions, codes, refresh tokens, registered clients) in memory. A restart loses it, and
 * users sign in again. Access tokens stay valid, because only their signature is checked.
 *
 * @param limit how many entries are kept; the oldest are removed first
 */
export function inMemoryState(limit = 5_000): AdapterFactory {
  const entries = new Map<string, Entry>()

  function makeRoom(): void {
    if (entries.size < limit) return
    for (const [key, entry] of entries) if (entry.expires <= Date.now()) entries.delete(key)
    for (const key of entries.keys()) {
      if (entries.size < limit) return
      entries.delete(key)
    }
  }

  function live(key: string): AdapterPayload | undefined {
    const entry = entries.get(key)
    return entry !== undefined && entry.expires > Date.now() ? entry.payload : undefined
  }

  return model => {
    const keyOf = (id: string) => `${model} ${id}`

    // A scan of a few thousand entries, which only sign-ins wait for, saves two indexes.
    async function findBy(field: 'uid' | 'userCode', value: string): Promise<AdapterPayload | undefined> {
      for (const [key, { payload }] of entries) {
        if (key.startsWith(`${model} `) && payload[field] === value) return live(key)
      }
      return undefined
    }

    const adapter: Adapter = {
      async upsert(id, payload, expiresIn) {
        // Inserted again, so that an updated entry counts as the newest.
        entries.delete(keyOf(id))
        makeRoom()
        entries.set(keyOf(id), {
          payload,
          expires: expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000,
        })
      },
      find: async id => live(keyOf(id)),
      findByUid: uid => findBy('uid', uid),
      findByUserCode: code => findBy('userCode', code),
      async consume(id) {
        const payload = live(keyOf(id))
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        entries.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        // Each model deletes its own entries. Deleting those of all models at once would leave nothing for the next
        // model to find.
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
      },
    }
    return adapter
  }
}
