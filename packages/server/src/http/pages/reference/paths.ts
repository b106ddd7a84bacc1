/** The addresses of the pages, from the root of the service. Decision 34 promises that they stay. */
export const pathOf = {
  start: 'docs',
  chapter: (id: string) => `docs/guide/${id}`,
  tag: (slug: string) => `docs/${slug}`,
  operation: (operationId: string) => `docs/operations/${operationId}`,
  schemas: 'docs/schemas',
  schema: (name: string) => `docs/schemas/${encodeURIComponent(name)}`,
  problems: 'docs/problems',
  /** The URL of the problem's type. */
  problem: (code: string) => `problems/${code}`,
  search: 'docs/search',
  searchIndex: 'docs/search.json',
  style: 'docs/reference.css',
  script: 'docs/reference.js',
} as const
