import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { freshRoom } from '../../rooms/fresh-room.ts'
import { unfinished } from '../valuation-document.ts'

const csv = ['Line,FY2025,FY2024', 'Sales,"800,000","790,000"', 'Net income,90000,(1500)'].join('\r\n')

/** A draft, and a CSV File that all members can open. */
async function draftWithFile(world: World) {
  const room_id = await freshRoom(world)
  const { file } = await world.us.createTextFile({
    name: 'Statements.csv',
    format: 'csv',
    content: csv,
    room_id,
  })
  const { data } = await world.us.createValuation({ ...unfinished(), inputs: {} })
  return {
    valuation_id: data.valuation_id,
    expected_revision: 1,
    file_id: file.file_id,
    basis: 'internal',
    periods: [{ column: 'FY2025', key: '2025', start: '2025-01-01', end: '2025-12-31' }],
  }
}

export const samples = {
  read_valuation_statements: {
    input: draftWithFile,
    others: {
      'with labels and rows of its own': async world => ({
        ...(await draftWithFile(world)),
        mapping: { revenue: 'sales' },
        rows: { net_income: 3 },
        amounts_in: 'thousands',
        costs_are_negative: true,
      }),
    },
  },
} satisfies Samples
