import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importBenchmarkSet } from '@wbs/contract/valuations/benchmark-sets'
import { benchmarkMultiple } from '../../../src/valuations/engine/benchmarks/benchmark-multiple.ts'
import { decimal } from '../../../src/valuations/engine/decimal.ts'
import { Unvaluable } from '../../../src/valuations/engine/engine.ts'
import { bakery, contextOf, resolvedWith } from '../engine/bakery.ts'
import { partValidator } from '../../../src/call/input/validate.ts'
import {
  defaultBenchmarkSet,
  hashOfRows,
} from '../../../src/valuations/benchmark-sets/default-benchmark-set.ts'

const { rows } = defaultBenchmarkSet

test('The benchmark set of the service never changes: its hash is pinned', () => {
  assert.equal(defaultBenchmarkSet.sha256, '79e2f5cbac52c23de7f96339161b9a1dd7b778171e145e0cac6d5195e565538f')
  assert.notEqual(hashOfRows(rows.slice(1)), defaultBenchmarkSet.sha256)
})

test('Each row has the form of a row that somebody imports, and its quartiles lie around its median', () => {
  const errorsOf = partValidator('body', { rows: importBenchmarkSet.input.rows })
  assert.deepEqual(errorsOf({ rows }), [])
  assert.equal(errorsOf({ rows: [{ ...rows[0], p50: '-1' }] }).length, 1)
  for (const { p25, p50, p75 } of rows) {
    assert.ok(p25 === null || Number(p25) <= Number(p50))
    assert.ok(p75 === null || Number(p75) >= Number(p50))
  }
})

test('No two rows are of the same metric, industry, size, source and day', () => {
  const keys = rows.map(row => JSON.stringify([row.metric, row.naics, row.size_band, row.source, row.as_of]))
  assert.equal(new Set(keys).size, keys.length)
})

test('It has the published figures of the end of 2024 and of 2025', () => {
  const medians = rows.filter(({ source }) => source.includes('Q4 2024'))
  assert.deepEqual(
    medians.map(row => [row.metric, row.size_band, row.p50]),
    [
      ['sde', '0-500000', '2.4'],
      ['sde', '500000-1000000', '2.8'],
      ['ebitda', '1000000-2000000', '3.0'],
      ['ebitda', '2000000-5000000', '4.1'],
      ['ebitda', '5000000-50000000', '6.0'],
    ],
  )
  const [year] = rows.filter(({ n }) => n === 9586)
  assert.deepEqual([year?.metric, year?.p50, year?.as_of], ['sde', '2.61', '2025-12-31'])
})

function multipleOf(
  metric: 'sde' | 'ebitda' | 'revenue',
  { basis = '200000', naics = null as string | null, valuation_date = '2026-06-30' } = {},
) {
  const context = contextOf(bakery({ valuation_date }), resolvedWith({ rows, naics_code: naics }))
  const { row } = benchmarkMultiple(context, metric, decimal(basis))
  return row
}

test('It has a multiple of each metric for every industry and size', () => {
  const sectors = ['111998', '236115', '311811', '339999', '423110', '455110', '484110', '493110', '722511']
  for (const metric of ['sde', 'ebitda', 'revenue'] as const)
    for (const naics of [null, ...sectors])
      for (const basis of ['1', '50000', '400000', '3000000', '90000000'])
        assert.ok(Number(multipleOf(metric, { basis, naics }).p50) > 0, `${metric} ${naics} ${basis}`)
})

test('A larger business has a multiple of SDE that is not smaller', () => {
  const multiples = ['100000', '260000', '500000', '1000000', '5000000'].map(basis =>
    Number(multipleOf('sde', { basis }).p50),
  )
  assert.deepEqual(
    multiples,
    multiples.toSorted((one, other) => one - other),
  )
})

test('A valuation as of an earlier day uses what was known then', () => {
  assert.equal(multipleOf('sde', { valuation_date: '2018-12-31' }).as_of, '2018-06-30')
  assert.equal(multipleOf('ebitda', { valuation_date: '2024-12-31', basis: '500000' }).p50, '3.0')
  assert.throws(() => multipleOf('ebitda', { valuation_date: '2018-12-31' }), Unvaluable)
})
