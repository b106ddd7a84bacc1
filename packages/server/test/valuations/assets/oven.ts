/** An asset to create. */
export const oven = {
  class: 'equipment',
  cost: { amount: '18000', currency: 'USD' },
  acquired_on: '2021-03-01',
  condition: 'good',
} as const
