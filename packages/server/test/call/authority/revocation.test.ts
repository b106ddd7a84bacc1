import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { scopes } from '@wbs/contract/scopes'
import { whileChangeIsBlocked } from '../../harness/lock-waits.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'

const writers = 40

/** The credential of the writer: an API key of the owner, one of the member, or the member's token. */
type Party = 'key' | 'key of member' | 'member'

/** Makes changes as fast as possible over many connections, until they are refused. */
interface Flood {
  /** Resolves once all connections write. */
  underWay: Promise<unknown>
  /** The status by which each connection was refused in the end. */
  refusals: Promise<number[]>
}

describe('nothing is written any more once the answer confirms the revocation of', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  /** The Workspace of a test, with the writer's credentials. */
  interface Scene {
    workspace_id: string
    owner: Person
    member: Person
    membership_id: string
    key_id: string
    secret: string
  }

  const remove = ({ membership_id, ...scene }: Scene) => asOwner(scene).removeMembership({ membership_id })
  const losses: [string, Party, (scene: Scene) => Promise<unknown>][] = [
    ['an API key that is revoked', 'key', ({ key_id, ...scene }) => asOwner(scene).revokeApiKey({ key_id })],
    [
      'an API key whose secret is replaced',
      'key',
      ({ key_id, ...scene }) => asOwner(scene).rotateApiKey({ key_id, overlap_seconds: 0 }),
    ],
    [
      'an API key that loses a scope',
      'key',
      ({ key_id, ...scene }) =>
        asOwner(scene).updateApiKey({ key_id, expected_revision: 1, scopes: ['rooms:read'] }),
    ],
    ['an API key whose owner is removed', 'key of member', remove],
    ['a member who is removed', 'member', remove],
    [
      'a member who loses a permission',
      'member',
      ({ membership_id, ...scene }) =>
        asOwner(scene).updateMembership({
          membership_id,
          expected_revision: 1,
          permissions: { 'rooms:write': false },
        }),
    ],
    [
      'everybody, when the Workspace is closed',
      'member',
      ({ workspace_id, ...scene }) =>
        asOwner({ workspace_id, ...scene }).closeWorkspace({ workspace_id, expected_revision: 1 }),
    ],
  ]

  for (const [title, party, lose] of losses)
    it(`${title}, at the first attempt, though it writes over forty connections at once`, async context => {
      const scene = await makeScene(party)
      const ended = new AbortController()
      context.after(() => ended.abort())
      const flood = startFlood(scene, party, ended.signal)
      await flood.underWay
      const before = await roomsOf(scene)
      const start = performance.now()
      // A change that waited for a lock too long gets 503.
      await lose(scene)
      const milliseconds = Math.round(performance.now() - start)
      const written = await roomsOf(scene)
      context.diagnostic(`answered after ${milliseconds} ms and ${written - before} writes`)
      // Each time it asks for locks, those who came before it go first; the removal of an owner of keys asks several times.
      assert.ok(written - before < 10 * writers, 'it had its turn after those who came before it')
      const refusals = await flood.refusals
      assert.deepEqual(
        refusals.filter(status => status !== 401 && status !== 403),
        [],
      )
      assert.equal(await roomsOf(scene), written, 'nothing was written after the answer')
    })

  for (const [title, party, lose] of losses)
    it(`${title}, by a change that began before and has its turn after`, async () => {
      const scene = await makeScene(party)
      const { status } = await changeWhile(scene, party, () => lose(scene))
      assert.ok(status === 401 || status === 403, `the change was answered with ${status}`)
      assert.equal(await roomsOf(scene), 0)
    })

  it('an API key whose time is over, by a change that began before', async () => {
    const scene = await makeScene('key')
    const end = () =>
      service.sql('update api_keys set expires_at = clock_timestamp() where id = $1', [scene.key_id])
    assert.equal((await changeWhile(scene, 'key', end)).status, 401)
    assert.equal(await roomsOf(scene), 0)
  })

  function changeWhile(scene: Scene, party: Party, work: () => Promise<unknown>) {
    const { workspace_id, key_id, member } = scene
    const principal = party === 'member' ? `user:${member.user_id}` : `key:${key_id}`
    const idempotency_key = randomUUID()
    return whileChangeIsBlocked(
      service,
      { workspace_id, principal, idempotency_key },
      () => write(scene, party, idempotency_key),
      work,
    )
  }

  async function makeScene(party: Party): Promise<Scene> {
    const [owner, member] = [service.person('Olivia'), service.person('Mia')]
    const workspace_id = await service.workspace('Flooded', owner)
    const membership_id = await service.join(workspace_id, member, 'member')
    return {
      workspace_id,
      owner,
      member,
      membership_id,
      ...(await service.apiKey(workspace_id, party === 'key of member' ? member : owner, scopes)),
    }
  }

  const asOwner = ({ owner, workspace_id }: Pick<Scene, 'owner' | 'workspace_id'>) =>
    service.client({ access_token: owner.token, workspace_id, attempts: 1 })

  function write({ workspace_id, secret, member }: Scene, party: Party, idempotency_key: string) {
    const credential =
      party === 'member' ? { authorization: `Bearer ${member.token}` } : { 'x-svc-api-key': secret }
    return service.request('/v1/rooms', {
      method: 'POST',
      headers: {
        ...credential,
        'svc-workspace-id': workspace_id,
        'content-type': 'application/json',
        'idempotency-key': idempotency_key,
      },
      body: '{"title":"Flood"}',
    })
  }

  function startFlood(scene: Scene, party: Party, ended: AbortSignal): Flood {
    const first: Promise<unknown>[] = []
    async function writeUntilRefused(): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<void>()
      first.push(promise)
      for (;;) {
        const { status } = await write(scene, party, randomUUID())
        // On a busy machine, a change may wait for too long for its turn or for a lock. Clients try again.
        if (status === 503 && !ended.aborted) continue
        resolve()
        if (status !== 201 || ended.aborted) return status
      }
    }
    const refusals = Promise.all(Array.from({ length: writers }, writeUntilRefused))
    return { underWay: Promise.all(first), refusals }
  }

  async function roomsOf({ workspace_id }: Scene): Promise<number> {
    const rooms = await service.sql('select id from rooms where workspace_id = $1', [workspace_id])
    return rooms.length
  }
})
