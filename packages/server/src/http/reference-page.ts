/** Placeholder until the page is drawn. */
export const referencePage = (document: object): string => `<pre>${JSON.stringify(document).length}</pre>`
