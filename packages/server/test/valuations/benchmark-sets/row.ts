/** A row to import. */
export const row = {
  naics: '722',
  size_band: '0-500000',
  metric: 'sde',
  p50: '2.1',
  source: 'Own deals',
  as_of: '2025-12-31',
} as const
