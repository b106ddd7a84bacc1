/** How `wbs value` writes what it found. */
export const forms = ['tree', 'json', 'md', 'html'] as const

export interface ValueFlags {
  format: (typeof forms)[number]
  seed?: number
  naics?: string
  withoutEvidence?: true
  output?: string
  force?: true
}
