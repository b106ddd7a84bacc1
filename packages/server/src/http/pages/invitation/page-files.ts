import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A script of the page, as the browser gets it. */
export interface PageFile {
  /** The name by which other scripts import it, or its path from the page. */
  name: string
  text: string
}

const own = ['page.js', 'service.js', 'sign-in.js', 'storage.js', 'view.js']

/** The scripts of the page, and the library with which it signs people in: one file without imports. */
export const pageFiles: readonly PageFile[] = [
  ...own.map(name => ({ name, text: readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8') })),
  { name: 'oauth4webapi.js', text: readFileSync(new URL(import.meta.resolve('oauth4webapi')), 'utf8') },
]

/** The path of the scripts from the page. It changes with them, so that they can be kept for ever. */
export const folder = `invitations/${createHash('sha256').update(JSON.stringify(pageFiles)).digest('hex').slice(0, 16)}`

/** Where imports are found, and what each script must be (subresource integrity). */
export const importMap = JSON.stringify({
  imports: { oauth4webapi: `./${folder}/oauth4webapi.js` },
  integrity: Object.fromEntries(
    pageFiles.map(({ name, text }) => [`./${folder}/${name}`, integrityOf(text)]),
  ),
})

export function integrityOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`
}
