import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { root } from './project-folder.ts'

const files = globSync('{packages,scripts,bench,ops}/**/*.ts', {
  cwd: root,
  exclude: path => path.includes('node_modules'),
})

/** The source files that a text names in code, by the end of their path: `call/run.ts`, `round-trips.test.ts`. */
const namedIn = (text: string) =>
  [...text.matchAll(/`((?:[a-z\d-]+\/)+[a-z\d-]+\.ts|[a-z\d-]+\.test\.ts)`/g)].map(match => match[1] ?? '')

describe('a document names only files that are there', () => {
  for (const document of globSync(['*.md', 'docs/**/*.md'], { cwd: root }))
    it(document, () => {
      const missing = namedIn(readFileSync(join(root, document), 'utf8')).filter(
        name => !files.some(file => `/${file}`.endsWith(`/${name}`)),
      )
      assert.deepEqual(missing, [])
    })
})
