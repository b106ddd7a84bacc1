import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { checkDocument } from './check-document.ts'
import { projectFolder, readersEnvironment, type ProjectFolder } from './project-folder.ts'
import { watch, type WatchedService } from './watched-service.ts'

/** Blocks of a document, each written as its language and its text; text in between is prose. */
const document = (...parts: ([language: string, text: string] | string)[]) =>
  parts.map(part => (typeof part === 'string' ? part : `\`\`\`${part[0]}\n${part[1]}\n\`\`\``)).join('\n')

describe('a document is rejected for', () => {
  let service: Server
  let watched: WatchedService
  let folder: ProjectFolder
  before(async () => {
    service = createServer((request, answer) => {
      answer.statusCode = request.url === '/missing' ? 404 : 200
      answer.end(answer.statusCode === 404 ? '{"code":"not_found"}' : '{"name":"Mill","revision":3}')
    })
    await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
    watched = await watch(`http://127.0.0.1:${(service.address() as AddressInfo).port}`)
    folder = await projectFolder(tmpdir())
  })
  after(async () => {
    await watched.close()
    await folder.remove()
    service.closeAllConnections()
    service.close()
  })

  const check = (...parts: Parameters<typeof document>) =>
    checkDocument('guide.md', document(...parts), {
      folder,
      env: readersEnvironment({}),
      address: { shown: 'http://service', real: [watched.base_url] },
      errors: watched.errors,
    })

  it('nothing, where everything is as shown', async () => {
    const findings = await check(
      'Some functions, which print nothing:',
      ['sh', 'get() { curl -s "http://service$1"; }\nMILL=$(get /)'],
      ['sh', 'get /; echo "$MILL"'],
      ['json', '{ "name": "Mill", … }\n{ "name": "M…", "revision": … }'],
      ['sh', 'get /missing'],
      ['json', '{ "code": "not_found" }'],
      'This goes into a file, saved as `mine.csv`:',
      ['csv', 'a,b'],
      ['sh', 'cat mine.csv; echo http://service'],
      ['text', 'a,b\nhttp://service'],
    )
    assert.deepEqual(findings, [])
  })

  it('an answer that is another one, with both', async () => {
    const [finding, ...others] = await check(
      ['sh', 'curl -s http://service/'],
      ['json', '{ "name": "Quarry", "closed": null, … }'],
    )
    assert.equal(
      finding,
      [
        'guide.md:1 The answer is not the one of line 4:',
        '  name: shown "Quarry", answered "Mill"',
        '  closed: shown null, not answered',
        'It printed:',
        '  {',
        '    "name": "Mill",',
        '    "revision": 3',
        '  }',
      ].join('\n'),
    )
    assert.deepEqual(others, [])
  })

  it('an answer that it does not show, and for one that does not come', async () => {
    const findings = await check(['sh', 'echo Mill'], 'Then:', ['sh', 'true'], ['text', 'Mill'], 'And:', [
      'json',
      '{}',
    ])
    assert.equal(findings.length, 3)
    assert.match(
      findings[0] ?? '',
      /^guide\.md:1 The document does not show the answer.*\nIt printed:\n {2}Mill$/,
    )
    assert.match(findings[1] ?? '', /^guide\.md:5 The answer is not the one of line 8:\n.*as shown: Mill$/)
    assert.match(findings[2] ?? '', /^guide\.md:12 This json block is the answer to no sh block\.$/)
  })

  it('a command that fails, wherever in its block, and what is behind it is not run', async () => {
    for (const script of [
      'false',
      'false\ntrue',
      'A=$(false)',
      'false | true',
      'echo $NEVER_SET',
      'exit 0',
    ]) {
      const findings = await check('Try:', ['sh', script], ['text', '…'], ['sh', 'echo more'])
      assert.equal(findings.length, 1, script)
      assert.match(findings[0] ?? '', /^guide\.md:2 A command failed, and the shell ended \(\d+\)\./, script)
    }
  })

  it('what a failing command said', async () => {
    assert.match(
      (await check(['sh', 'no-such-program']))[0] ?? '',
      /standard error:\n {2}.*no-such-program.*not found/,
    )
  })

  it('an error of the service that it does not show', async () => {
    const [finding] = await check(['sh', 'GONE=$(curl -s http://service/missing)'])
    assert.equal(finding, 'guide.md:1 GET /missing answered 404 not_found, which the document does not show.')
  })

  it('a block of a kind that is not run, and names no reason', async () => {
    const findings = await check(['', 'npm start'], ['python', '1'], ['ts', 'let a'])
    assert.equal(findings.length, 3)
    assert.match(findings[0] ?? '', /^guide\.md:1 A block without a language is not run by this test\./)
    assert.match(findings[1] ?? '', /^guide\.md:4 A block of python is not run by this test\./)
    assert.match(findings[2] ?? '', /^guide\.md:7 The text before a ts block must say under which name/)
  })

  it('code of the wrong type, or that no command runs', async () => {
    const code: [string, string] = ['ts', 'const name: string = 1\nconsole.log(name)']
    const findings = await check('Saved as `a.ts`:', code, ['sh', 'npx node a.ts'], ['text', '1'])
    assert.match(findings.join(), /^guide\.md:2 The compiler refuses a\.ts:\n {2}a\.ts\(1,7\): error TS2322/)
    assert.equal(findings.length, 1)
    const unused = await check('Saved as `b.ts`:', ['ts', 'let b'])
    assert.deepEqual(unused, ['guide.md:2 No sh block of the document runs this file.'])
  })

  it('a block left out for a reason, where the project has not what it names', async () => {
    const why = '<!-- not run: It takes a day. -->\n'
    assert.deepEqual(
      await check(why, ['sh', 'npm start\nnpm run check # all\nnpx oxfmt packages bench/bench.ts']),
      [],
    )
    const findings = await check(why, ['sh', 'npm run chek\nnpx oxfnt packages/servers/src']),
      said = findings.map(finding => finding.replace(/.*not there: /, ''))
    assert.deepEqual(said, [
      'package.json has no script “chek”.',
      'node_modules has no program “oxfnt”.',
      'there is no file packages/servers/src.',
    ])
    assert.deepEqual(await check(why, ['', 'a drawing']), [])
  })

  it('a block left to another test, where that does not name the document', async () => {
    const here = 'packages/server/test/docs/check-document.test.ts'
    assert.deepEqual(await check(`<!-- run by: ${here} -->`, ['sql', 'select 1']), [])
    assert.equal((await check('<!-- run by: packages/gone.test.ts -->', ['sql', 'select 1'])).length, 1)
    assert.equal((await check(`<!-- run by: ${here.replace('check-', 'no-')} -->`, ['sql', '1'])).length, 1)
  })
})
