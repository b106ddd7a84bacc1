import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

interface Entry {
  payload: AdapterPayload
  /** Milliseconds since the epoch. */
  expires: number
}

/**
 * Keeps what the provider remembers (sessions, codes, refresh tokens, registered clients) in this process: all of it
 * is gone at a restart, and whoever was signed in signs in again. Access tokens stay good, as only their signature counts.
 *
 * @param limit how many things of all kinds are kept; the oldest make room
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

    // A walk through a few thousand entries, which nothing but a sign-in waits for, spares two indexes.
    async function findBy(field: 'uid' | 'userCode', value: string): Promise<AdapterPayload | undefined> {
      for (const [key, { payload }] of entries) {
        if (key.startsWith(`${model} `) && payload[field] === value) return live(key)
      }
      return undefined
    }

    const adapter: Adapter = {
      async upsert(id, payload, expiresIn) {
        // What is written again is the newest again, and so the last to make room.
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
        // Each model is asked for its own; taking them all at once leaves the next one nothing to find.
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
      },
    }
    return adapter
  }
}
