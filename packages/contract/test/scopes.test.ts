import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessLevels, includes } from '../src/scopes.ts'

test('an access level includes itself and those below it', () => {
  const included = accessLevels.map(level => accessLevels.filter(needed => includes(level, needed)))
  assert.deepEqual(included, [['view'], ['view', 'edit'], ['view', 'edit', 'full_access']])
})
