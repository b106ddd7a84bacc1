import { addObservation } from '../../harness/businesses.ts'
import type { Samples } from '../../operations/sample.ts'

export const samples = {
  create_observation: {
    input: ({ published_id }) => ({
      business_id: published_id,
      key: 'headcount',
      value: { value_type: 'number', value: 42 },
      observed_on: '2026-01-31',
    }),
    readBack: false,
    roundTrips: 2,
  },
  list_observations: { input: ({ published_id }) => ({ business_id: published_id }) },
  retract_observation: {
    input: async ({ service, workspace_id, published_id, people }) => ({
      business_id: published_id,
      observation_id: await addObservation(service, workspace_id, published_id, people.owner),
    }),
    readBack: false,
    roundTrips: 2,
  },
} satisfies Samples
