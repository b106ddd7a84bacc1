import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { blocksOf } from './document.ts'

describe('the blocks of a document', () => {
  it('have their language, text and line, within lists and with longer fences too', () => {
    const blocks = blocksOf(
      '# A\n\n```sh\na\n\nb\n```\n1. List:\n\n   ```json\n   {\n     "a": 1\n   }\n   ```\n\n~~~~text more\n```\n~~~\n~~~~\n',
    )
    assert.deepEqual(
      blocks.map(({ language, text, line }) => [language, text, line]),
      [
        ['sh', 'a\n\nb\n', 3],
        ['json', '{\n  "a": 1\n}\n', 10],
        ['text', '```\n~~~\n', 16],
      ],
    )
  })

  it('reach to the end where nothing closes them', () => {
    assert.deepEqual(
      blocksOf('```sh\na').map(block => block.text),
      ['a\n'],
    )
  })

  it('are named by the paragraph before them alone', () => {
    const names = (text: string) => blocksOf(text).map(block => block.saved_as)
    assert.deepEqual(
      names('Try this, saved as `a.csv`:\n\n```csv\n```\nSave it as `b.csv`:\n```csv\n```\n```csv\n```'),
      ['a.csv', 'b.csv', null],
    )
    assert.deepEqual(names('It was saved as `a.csv`.\n\nNow:\n\n```sh\n```'), [null])
  })

  it('have what the comment before them says', () => {
    const comments = (text: string) => blocksOf(text).map(block => block.comment)
    assert.deepEqual(
      comments(
        'Text.\n\n<!-- not run: It takes\n a day. -->\n\n```sh\n```\n<!-- run by: a.test.ts -->\n```sql\n```',
      ),
      [
        { says: 'not run', text: 'It takes\n a day.' },
        { says: 'run by', text: 'a.test.ts' },
      ],
    )
    assert.deepEqual(
      comments(
        '<!-- not run: why -->\n\nText.\n\n```sh\n```\n<!-- a note -->\n```sh\n```\n<!-- not run: -->\n```sh\n```',
      ),
      [null, null, null],
    )
  })
})
