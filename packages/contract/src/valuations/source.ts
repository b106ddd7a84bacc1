import { lineOfText } from '../schema.ts'

/** From where a figure comes. */
export const Source = lineOfText(500, {
  description: 'Where the figure comes from.',
  example: 'IBBA Market Pulse, Q4 2024',
})
