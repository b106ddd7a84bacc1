import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { InputError } from '@wbs/contract/problems'
import type { RequestColumn } from '@wbs/contract/tasks/requests'
import type { ListedRequest } from '../../../src/tasks/requests/request-cells.ts'
import { mostRequests, readRequestList } from '../../../src/tasks/requests/read-request-list.ts'
import { hostileTexts } from '../../hostile/hostile-text.ts'

type Mapping = Partial<Record<RequestColumn, string>>

const read = (text: string, mapping: Mapping = {}) => readRequestList(Buffer.from(text), mapping)

function rowsOf(text: string, mapping?: Mapping) {
  const list = read(text, mapping)
  return 'rows' in list ? list.rows : assert.fail(JSON.stringify(list))
}

function errorsOf(text: string, mapping?: Mapping): InputError[] {
  const list = read(text, mapping)
  return 'errors' in list ? list.errors : assert.fail(JSON.stringify(list))
}

function faultOf(content: string | Uint8Array): string {
  const list = readRequestList(Buffer.from(content as string), {})
  return 'fault' in list ? list.fault : assert.fail(JSON.stringify(list))
}

const asCell = (text: string) => `"${text.replaceAll('"', '""')}"`

const bare: ListedRequest = {
  title: 'Leases',
  description: null,
  section: null,
  kind: 'evidence_request',
  priority: 'none',
  due_at: null,
  assignee_email: null,
}

describe('a CSV file of requests', () => {
  it('has a request in each row, with all its fields', () => {
    const text = [
      'title,description,section,kind,priority,due_at,assignee_email',
      '" Leases ","All locations,\nwith ""amendments""",Premises,Evidence_Request,HIGH,2027-01-31,ZOE@Bücher.example',
      'Why now?,,,question,,2027-01-31T17:00:00-05:00,',
    ].join('\r\n')
    assert.deepEqual(rowsOf(text), [
      {
        row: 2,
        request: {
          title: 'Leases',
          description: 'All locations,\nwith "amendments"',
          section: 'Premises',
          kind: 'evidence_request',
          priority: 'high',
          due_at: '2027-01-31T23:59:59.000Z',
          assignee_email: 'zoe@xn--bcher-kva.example',
        },
      },
      {
        row: 3,
        request: { ...bare, title: 'Why now?', kind: 'question', due_at: '2027-01-31T22:00:00.000Z' },
      },
    ])
  })

  it('needs only titles; rows are evidence requests unless they say otherwise', () => {
    assert.deepEqual(rowsOf('title\nLeases'), [{ row: 2, request: bare }])
  })

  it('may begin with a byte order mark, have other columns, and end in empty rows', () => {
    const text = '\ufeffNo, title ,Owner\r\n1,Leases,Ann\r\n\r\n,,\r\n'
    assert.deepEqual(rowsOf(text), [{ row: 2, request: bare }])
  })

  it('counts rows as a spreadsheet shows them: empty ones too, and those with line breaks once', () => {
    const text = 'title,description\nA,"x\ny\nz"\n\nB,\n  ,"  "\nC,'
    assert.deepEqual(
      rowsOf(text).map(({ row, request }) => [row, request.title]),
      [
        [2, 'A'],
        [4, 'B'],
        [6, 'C'],
      ],
    )
  })

  it('finds columns by the headers of the mapping, which are compared exactly', () => {
    const mapping = { title: 'Request', section: 'Category, part' }
    assert.equal(rowsOf('"Category, part",Request\nLegal,Leases', mapping)[0]?.request.section, 'Legal')
    assert.deepEqual(
      errorsOf('Request,category\nLeases,Legal', { ...mapping, section: 'Category' }).map(e => [
        e.pointer,
        e.code,
      ]),
      [['/mapping/section', 'unknown']],
    )
  })

  it('is refused without a column for titles, and with two of the same name', () => {
    assert.deepEqual(
      errorsOf('Title\nLeases').map(e => [e.pointer, e.code]),
      [['/file/rows/1/title', 'required']],
    )
    assert.deepEqual(
      errorsOf('title,kind,kind\nLeases').map(e => [e.pointer, e.code]),
      [['/file/rows/1/kind', 'conflict']],
    )
    assert.equal(rowsOf('title,x,x\nLeases').length, 1, 'columns that nobody asked for may repeat')
  })

  const wrongCells: [column: RequestColumn, cell: string, code: string][] = [
    ['title', '', 'required'],
    ['title', 'a'.repeat(201), 'too_long'],
    ['title', 'a\nb', 'format'],
    ['title', 'a\u0007b', 'format'],
    ['title', 'a\u0085b', 'format'],
    ['description', 'a'.repeat(10_001), 'too_long'],
    ['description', 'a\u0000b', 'format'],
    ['section', 'Ω'.repeat(201), 'too_long'],
    ['section', 'a\rb', 'format'],
    ['kind', 'proof', 'format'],
    ['kind', 'toString', 'format'],
    ['priority', 'asap', 'format'],
    ['due_at', 'tomorrow', 'format'],
    ['due_at', '1/31/2027', 'format'],
    ['due_at', '2027-02-29', 'format'],
    ['due_at', '2027-01-31T17:00:00', 'format'],
    ['due_at', '45688', 'format'],
    ['assignee_email', 'zoe', 'format'],
    ['assignee_email', 'zoe@', 'format'],
    ['assignee_email', `${'a'.repeat(250)}@example.com`, 'format'],
  ]
  for (const [column, cell, code] of wrongCells)
    it(`is refused with ${JSON.stringify(cell.slice(0, 20))} as ${column}, and says where`, () => {
      const text = `number,title,${column === 'title' ? 'x' : column}\n1,Good,\n2,${
        column === 'title' ? asCell(cell) : `Leases,${asCell(cell)}`
      }`
      const [error, ...more] = errorsOf(text)
      assert.deepEqual(more, [])
      assert.deepEqual([error?.in, error?.pointer, error?.code], ['body', `/file/rows/3/${column}`, code])
      assert.ok(cell === '' || !error?.detail.includes(cell), 'the cell is not repeated')
    })

  it('is refused for each cell that is wrong, and for cells beyond the header', () => {
    const text = 'title,kind\n,other\nGood,task\nLeases,task,,more'
    assert.deepEqual(
      errorsOf(text).map(({ pointer }) => pointer),
      ['/file/rows/2/title', '/file/rows/2/kind', '/file/rows/4'],
    )
  })

  it('takes hostile text as text, or refuses it', () => {
    for (const text of ['=HYPERLINK("https://evil.example")', '+1', '@SUM(A1)', ...hostileTexts]) {
      const list = read(`title,description\nGood,${asCell(text)}`)
      if ('rows' in list) assert.equal(list.rows[0]?.request.description, text.trim() || null)
      else assert.match(JSON.stringify(list), /"code":"format"|too_long/)
    }
  })

  it('is no list unless it is CSV in UTF-8 with one to 500 rows', () => {
    assert.match(faultOf('title\n"Leases'), /not CSV/)
    assert.match(faultOf(Buffer.from([0x74, 0xff, 0xfe])), /not CSV in UTF-8/)
    assert.match(faultOf('title\n\n ,\n'), /no rows/)
    assert.match(faultOf(`title\n${'Leases\n'.repeat(mostRequests + 1)}`), /more than 500 rows/)
    assert.match(faultOf(`title\n${'\n'.repeat(10_000)}`), /more than 500 rows/)
    assert.equal(rowsOf(`title\n${'Leases\n'.repeat(mostRequests)}\n\n`).length, mostRequests)
  })
})
