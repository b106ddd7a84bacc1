import { scopes } from '@wbs/contract/scopes'
import { makeTestKey, startTestIssuer } from '../harness/issuer.ts'
import { mintApiKey } from '../../src/identity/api-key-format.ts'
import type { CallerName } from './callers.ts'
import type { World } from './world.ts'

export type Headers = Record<string, string>

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const apiKey = (key: string): Headers => ({ 'x-svc-api-key': key })

/** The headers of each caller of the matrix. `bad` and some others have several kinds of credential. */
export async function credentialsOf(world: World): Promise<Record<CallerName, Record<string, Headers>>> {
  const { service, people, anonymous, workspace_id, second_workspace_id, foreign_workspace_id, sam } = world
  const token = (person: { token: string }) => bearer(person.token)
  const key = async (...settings: Parameters<typeof service.apiKey>) =>
    apiKey((await service.apiKey(...settings)).secret)
  const good = await key(workspace_id, people.owner, scopes)
  const one = (headers: Headers) => ({ '': headers })
  return {
    nobody: one({}),
    bad: await badCredentials(world),
    both: {
      good: { ...token(people.owner), ...good },
      'both bad': { authorization: 'x', 'x-svc-api-key': 'x' },
    },
    anonymous: one(token(anonymous)),
    outsider: one(token(people.outsider)),
    removed: one(token(people.removed)),
    viewer: one(token(people.viewer)),
    member: one(token(people.member)),
    admin: one(token(people.admin)),
    owner: one(token(people.owner)),
    key: one(good),
    weak_key: one(await key(workspace_id, people.owner, [])),
    foreign_key: {
      "a stranger's": await key(foreign_workspace_id, sam, scopes),
      "the owner's, for another Workspace": await key(second_workspace_id, people.owner, scopes),
    },
  }
}

/** Invalid credentials. Each must be refused with 401, by every operation that reads credentials. */
async function badCredentials({ service, people, workspace_id }: World): Promise<Record<string, Headers>> {
  const { issuer } = service
  const { owner } = people
  const seconds = Math.floor(Date.now() / 1000)
  const sign = (claims: object, how?: Parameters<typeof issuer.sign>[1]) =>
    issuer.sign({ ...issuer.claims(), sub: owner.subject, ...claims }, how)
  const stranger = await startTestIssuer()
  const strange = stranger.sign({ ...stranger.claims(), sub: owner.subject })
  await stranger.close()
  const pem = issuer.key.publicKey.export({ type: 'spki', format: 'pem' }).toString()

  const good = await service.apiKey(workspace_id, owner, scopes)
  const revoked = await service.apiKey(workspace_id, owner, scopes)
  const expired = await service.apiKey(workspace_id, owner, scopes)
  const changed = await service.apiKey(workspace_id, owner, scopes)
  await service.sql(`update api_keys set secret_digest = sha256('another secret') where id = $1`, [
    changed.key_id,
  ])
  await service.sql('update api_keys set revoked_at = now() where id = $1', [revoked.key_id])
  await service.sql(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [
    expired.key_id,
  ])

  return {
    'an empty Authorization': { authorization: '' },
    garbage: { authorization: 'garbage' },
    'Bearer and nothing': { authorization: 'Bearer ' },
    Basic: { authorization: `Basic ${btoa('olivia:secret')}` },
    'a token without its scheme': { authorization: owner.token },
    'two tokens in one header': { authorization: `Bearer ${owner.token}, Bearer ${owner.token}` },
    'a token that is not one': bearer('garbage'),
    'an expired token': bearer(sign({ iat: seconds - 7200, exp: seconds - 3600 })),
    'a token that is not valid yet': bearer(sign({ nbf: seconds + 3600 })),
    'a token for another service': bearer(sign({ aud: 'https://another.example' })),
    'a token of another issuer': bearer(sign({ iss: 'https://issuer.example' })),
    'a token of an issuer nobody trusts': bearer(strange),
    'a token that is not signed': bearer(sign({}, { alg: 'none' })),
    'a token signed with the public key as a secret': bearer(sign({}, { alg: 'HS256', secret: pem })),
    'a token signed with another key': bearer(sign({}, { key: { ...makeTestKey(), kid: issuer.key.kid } })),
    'a token that was changed': bearer(`${owner.token.slice(0, -6)}AAAAAA`),
    'an ID token': bearer(sign({ nonce: 'n', at_hash: 'h' }, { typ: 'JWT' })),
    'a token of a program': bearer(sign({ sub: 'a-program', client_id: 'a-program' })),
    'a token without a subject': bearer(sign({ sub: undefined })),
    'an empty API key': apiKey(''),
    'an API key of the wrong form': apiKey('garbage'),
    'an API key with a wrong checksum': apiKey(
      good.secret.slice(0, -1) + (good.secret.endsWith('0') ? '1' : '0'),
    ),
    'an API key that nobody made': apiKey(mintApiKey('test').secret),
    'an API key with another secret': apiKey(changed.secret),
    'a revoked API key': apiKey(revoked.secret),
    'an expired API key': apiKey(expired.secret),
    'an API key as a token': bearer(good.secret),
    'a token as an API key': apiKey(owner.token),
  }
}
