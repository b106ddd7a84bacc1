import { join } from 'node:path'
import { recordRelease } from '../packages/server/test/releases/record-release.ts'
import { setVersion, UnfitRelease } from './release/set-version.ts'
import { onTestServer } from './test-run/on-test-server.ts'

/**
 * Prepares a release: `npm run release -- 0.4.0` sets the version everywhere and dates the changelog.
 * `npm run release -- --record` keeps the data of the released version for the tests of later ones.
 */
const root = join(import.meta.dirname, '..')
const [asked = ''] = process.argv.slice(2)
try {
  if (asked === '--record')
    await onTestServer(async () => console.log(`Recorded in ${await recordRelease()}: commit it.`))
  else {
    setVersion(root, asked, new Date().toISOString().slice(0, 10))
    console.log(
      [
        `This is ${asked} now. What is left:`,
        '  npm run generate && npm run check && npm test',
        '  npm run release -- --record',
        `  git add --all && git commit --message 'Release ${asked}'`,
        `  git tag --annotate v${asked} --message 'Release ${asked}'`,
      ].join('\n'),
    )
  }
} catch (error) {
  if (!(error instanceof UnfitRelease)) throw error
  console.error(error.message)
  process.exitCode = 1
}
