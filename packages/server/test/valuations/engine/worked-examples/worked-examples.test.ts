import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { Decimal, decimal } from '../../../../src/valuations/engine/decimal.ts'
import { computations, type Inputs } from './computations.ts'

/**
 * Examples whose answers were published, or follow from published inputs. Each is computed by the engine's own functions; the
 * formula of the file is not used.
 */
interface Example {
  example_id: string
  kind: 'published' | 'inputs_published' | 'derived'
  method: string
  description: string
  inputs_json: string
  result_metric: string
  expected_value: string
  published_value: string
  tolerance: string
  check: 'match' | 'DIFFERS' | ''
}

const file = new URL('worked-examples.csv', import.meta.url)
const examples: Example[] = parse(readFileSync(file), { columns: true })

/** The examples whose published figure is wrong at its source. */
const wrongAtTheSource = new Map([
  ['DCF-02c', 'The source discounts 264.86 to 164.23; divided by 1.1 to the power of 5 it is 164.46.'],
])

function computed({ example_id, method, result_metric, inputs_json }: Example) {
  const compute = computations[`${method} ${result_metric}`]
  assert.ok(compute, `No computation for ${example_id}.`)
  return compute(JSON.parse(inputs_json) as Inputs)
}

const isWithin = (value: Decimal, expected: string, tolerance: string) =>
  value.minus(expected).abs().lessThanOrEqualTo(tolerance)

/** The expected value of PV-01 has fewer places than its tolerance: half of its last place counts. */
const toleranceOf = ({ expected_value, tolerance }: Example): string => {
  const places = decimal(expected_value).decimalPlaces()
  return Decimal.max(tolerance, decimal('0.5').times(decimal('10').pow(-places))).toFixed()
}

describe('the worked examples', () => {
  it('are all there', () => {
    assert.equal(examples.length, 43)
    assert.deepEqual(
      examples.filter(({ check }) => check === 'DIFFERS').map(({ example_id }) => example_id),
      [...wrongAtTheSource.keys()],
    )
  })

  for (const example of examples) {
    const { example_id, description, expected_value, published_value, tolerance, check } = example
    it(`${example_id}: ${description}`, () => {
      const value = computed(example)
      assert.ok(
        isWithin(value, expected_value, toleranceOf(example)),
        `${value.toFixed()} is not ${expected_value}.`,
      )
      if (check === 'match')
        assert.ok(
          isWithin(value, published_value, tolerance),
          `${value.toFixed()} is not ${published_value}.`,
        )
    })
  }

  for (const [id, why] of wrongAtTheSource)
    it(`${id} is wrong at its source: ${why}`, () => {
      const example = examples.find(({ example_id }) => example_id === id)
      assert.ok(example)
      assert.ok(!isWithin(computed(example), example.published_value, example.tolerance))
      // Its terminal value is right, so that the slip is in the discounting.
      const terminal = examples.find(({ example_id }) => example_id === 'DCF-02b')
      assert.ok(terminal && isWithin(computed(terminal), terminal.published_value, terminal.tolerance))
    })
})
