import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createPartSignatures,
  partPath,
  readPartUrl,
  type PartGrant,
} from '../../../../src/files/uploads/parts/part-token.ts'

const grant: PartGrant = {
  workspace_id: '0b6c1f0e-4a35-4d0c-9d53-1f7b2f9f2a10',
  upload_id: 'upl_01M82HHYW0FEAFTW7QTJBBJ4HB',
  part_number: 7,
  size_bytes: 1000,
  user_id: '6f3fd8a4-9b0f-4c8e-8f0c-0a7f3a3b1a11',
  key_id: null,
  expires: 1_800_000_000_000,
}
const other: PartGrant = {
  workspace_id: grant.user_id,
  upload_id: 'upl_01M82HHYW0FEAFTW7QTJBBJ4HC',
  part_number: 8,
  size_bytes: 1001,
  user_id: grant.workspace_id,
  key_id: grant.workspace_id,
  expires: 1_800_000_000_001,
}
const signatures = createPartSignatures(Buffer.from('a secret'))

describe('The signature of the URL of a part', () => {
  it('is valid for what was signed, on every node with the same secret', () => {
    const signature = signatures.sign(grant)
    assert.ok(createPartSignatures(Buffer.from('a secret')).verifies(grant, signature))
    assert.ok(!createPartSignatures(Buffer.from('another')).verifies(grant, signature))
  })

  for (const field of Object.keys(grant) as (keyof PartGrant)[])
    it(`is not valid for another ${field}`, () => {
      const changed = { ...grant, [field]: other[field] }
      assert.ok(!signatures.verifies(changed, signatures.sign(grant)))
      assert.ok(signatures.verifies(changed, signatures.sign(changed)))
    })

  it('is not valid if it is cut, extended or empty', () => {
    const signature = signatures.sign(grant)
    for (const wrong of ['', signature.slice(1), `${signature}AA`, signature.toLowerCase(), 'é'.repeat(43)])
      assert.ok(!signatures.verifies(grant, wrong), wrong)
  })

  it('is read from the URL with all that was signed but the size', () => {
    for (const granted of [grant, { ...grant, key_id: other.key_id }]) {
      const url = new URL(partPath(granted, signatures.sign(granted)), 'http://here')
      const [upload_id = '', , part_number = ''] = url.pathname.split('/').slice(3)
      const read = readPartUrl({ upload_id, part_number, query: url.searchParams })
      assert.ok(read)
      assert.deepEqual({ ...read.grant, size_bytes: granted.size_bytes }, granted)
      assert.ok(signatures.verifies({ ...read.grant, size_bytes: granted.size_bytes }, read.signature))
    }
  })

  it('is not looked at in a URL of another form', () => {
    const query = () => new URL(partPath(grant, signatures.sign(grant)), 'http://here').searchParams
    const { upload_id } = grant
    assert.ok(readPartUrl({ upload_id, part_number: '7', query: query() }))
    for (const part_number of ['0', '-1', '1e3', '', '07', '100000'])
      assert.equal(readPartUrl({ upload_id, part_number, query: query() }), null)
    assert.equal(readPartUrl({ upload_id: 'upl_1', part_number: '7', query: query() }), null)
    for (const name of ['workspace', 'user', 'expires', 'signature']) {
      const without = query()
      without.delete(name)
      assert.equal(readPartUrl({ upload_id, part_number: '7', query: without }), null)
    }
    for (const name of ['workspace', 'user', 'key', 'expires']) {
      const wrong = query()
      wrong.set(name, `x${wrong.get(name)}`)
      assert.equal(readPartUrl({ upload_id, part_number: '7', query: wrong }), null)
    }
  })
})
