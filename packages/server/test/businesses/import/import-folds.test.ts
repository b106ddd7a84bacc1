import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openBench, row } from './import-harness.ts'
import type { ImportBench, Row } from './import-harness.ts'

let bench: ImportBench
before(async () => void (bench = await openBench()))
after(() => bench[Symbol.asyncDispose]())

const imported = async (source_id: string, facts: Row) => {
  await bench.run([await bench.file([row({ source_id, name: 'Folded', ...facts })])])
  const [stored] = await bench.query(
    `select b.id, b.description, b.description_folded, l.state, l.state_folded
     from business_sources s join businesses b on b.id = s.business_id left join business_locations l on l.business_id = b.id
     where s.source_id = $1`,
    [source_id],
  )
  return stored ?? assert.fail()
}

test('the folds of a record are stored, and follow its texts when it is imported again', async () => {
  const abroad = { country_code: 'FR', city: 'Paris' }
  const first = await imported('folds', { ...abroad, description: 'ÇA  VA', state: 'Île' })
  assert.deepEqual([first.description_folded, first.state_folded], ['ça va', 'île'])
  const inOtherCase = await imported('folds', { ...abroad, description: 'ça va', state: 'ÎLE' })
  assert.deepEqual([inOtherCase.description, inOtherCase.state], ['ça va', 'ÎLE'])
  assert.deepEqual([inOtherCase.description_folded, inOtherCase.state_folded], ['ça va', 'île'])
  const plain = await imported('folds', { ...abroad, description: 'Plain', state: 'Plain' })
  assert.deepEqual([plain.description_folded, plain.state_folded], [null, null])
  const none = await imported('folds', { ...abroad })
  assert.deepEqual([none.description, none.description_folded], [null, null])
  assert.deepEqual([none.state, none.state_folded], [null, null])
})

test('a description from elsewhere, which a record leaves alone, keeps its fold', async () => {
  const { id } = await imported('kept', {})
  await bench.query(`update businesses set description = 'ÜBER', description_folded = 'über' where id = $1`, [
    id,
  ])
  const kept = await imported('kept', { name: 'Renamed' })
  assert.deepEqual([kept.description, kept.description_folded], ['ÜBER', 'über'])
  const given = await imported('kept', { name: 'Renamed', description: 'Öl' })
  assert.deepEqual([given.description, given.description_folded], ['Öl', 'öl'])
  const cleared = await imported('kept', { name: 'Renamed' })
  assert.deepEqual([cleared.description, cleared.description_folded], [null, null])
})
