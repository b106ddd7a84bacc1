// Requests to the service. The token of an invitation is sent in bodies only.

/** The service refused a request, or could not be reached; `status` is 0 then. The message is for the person. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message)
    this.status = status
  }
}

/**
 * What an invitation is for. Throws Refused.
 *
 * @param {string} token
 */
export const inspect = async token => (await send('POST', 'v1/invitations/inspect', { token })).data

/**
 * The person that an access token is for, and the Rooms in which they take part. Throws Refused.
 *
 * @param {string} access_token
 */
export const whoIs = async access_token =>
  (await send('GET', 'v1/me', undefined, { authorization: `Bearer ${access_token}` })).data

/**
 * Accepts or declines. Throws Refused.
 *
 * @param {'accept' | 'decline'} how
 * @param {{ token: string, keys: Record<string, string> }} invitation
 * @param {string} access_token
 */
export const answer = (how, { token, keys }, access_token) =>
  send(
    'POST',
    `v1/invitations/${how}`,
    { token },
    { authorization: `Bearer ${access_token}`, 'idempotency-key': keys[how] },
  )

async function send(method, path, body, headers = {}) {
  let status = 0
  try {
    const response = await fetch(path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      referrerPolicy: 'no-referrer',
      credentials: 'omit',
      cache: 'no-store',
    })
    status = response.status
    const said = await response.json()
    if (response.ok) return said
    throw new Refused(said.detail, status)
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused('The service cannot be reached. Try again.', status)
  }
}
