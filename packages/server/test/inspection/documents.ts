import { zipOf } from './zip.ts'

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const schemas = 'http://schemas.openxmlformats.org'
const office = 'application/vnd.openxmlformats-officedocument'

export const docxType = `${office}.wordprocessingml.document`
export const xlsxType = `${office}.spreadsheetml.sheet`
export const pptxType = `${office}.presentationml.presentation`

const contentTypes = (parts: Record<string, string>) => ({
  name: '[Content_Types].xml',
  content: `${xml}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${Object.entries(
    parts,
  )
    .map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`)
    .join('')}</Types>`,
})

const relations = (name: string, targets: readonly [kind: string, target: string][]) => ({
  name,
  content: `${xml}<Relationships xmlns="${schemas}/package/2006/relationships">${targets
    .map(
      ([kind, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${schemas}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`,
})

/** A DOCX with one paragraph for each text, which is XML. */
export const docxParts = (paragraphs: readonly string[]) => [
  contentTypes({ 'word/document.xml': `${docxType}.main+xml` }),
  relations('_rels/.rels', [['officeDocument', 'word/document.xml']]),
  {
    name: 'word/document.xml',
    content: `${xml}<w:document xmlns:w="${schemas}/wordprocessingml/2006/main"><w:body>${paragraphs
      .map(text => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)
      .join('')}</w:body></w:document>`,
  },
]
export const docxOf = (...paragraphs: string[]): Buffer => zipOf(docxParts(paragraphs))

/** A workbook with a sheet for each entry; its cells are XML. */
export const xlsxOf = (sheets: Record<string, readonly (readonly (string | number)[])[]>): Buffer =>
  workbookOf(Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, rowsXml(rows)])))

/** A workbook with a sheet for each entry, which is the XML of its rows, and other parts of its folder as XML. */
export function workbookOf(sheets: Record<string, string>, parts: Record<string, string> = {}): Buffer {
  const names = Object.keys(sheets)
  const file = (at: number) => `worksheets/sheet${at + 1}.xml`
  return zipOf([
    contentTypes({
      'xl/workbook.xml': `${xlsxType}.main+xml`,
      ...Object.fromEntries(
        names.map((_, at) => [`xl/${file(at)}`, `${office}.spreadsheetml.worksheet+xml`]),
      ),
    }),
    relations('_rels/.rels', [['officeDocument', 'xl/workbook.xml']]),
    {
      name: 'xl/workbook.xml',
      content: `${xml}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships"><sheets>${names
        .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join('')}</sheets></workbook>`,
    },
    relations('xl/_rels/workbook.xml.rels', [
      ...names.map((_, at): [string, string] => ['worksheet', file(at)]),
      ...Object.keys(parts).map((name): [string, string] => [name.replace('.xml', ''), name]),
    ]),
    ...Object.values(sheets).map((rows, at) => ({
      name: `xl/${file(at)}`,
      content: `${xml}<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
    })),
    ...Object.entries(parts).map(([name, content]) => ({ name: `xl/${name}`, content: xml + content })),
  ])
}

function rowsXml(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number, row: number, column: number) => {
    const place = `${String.fromCharCode(65 + column)}${row + 1}`
    return typeof value === 'number'
      ? `<c r="${place}"><v>${value}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
  }
  return rows
    .map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((value, column) => cell(value, row, column)).join('')}</row>`,
    )
    .join('')
}

/** A PDF with one page for each text, which has no parentheses. `trailer` adds entries to its trailer. */
export function pdfOf(texts: readonly string[], trailer = ''): Buffer {
  const kids = texts.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...texts.flatMap((text, at) => {
      const drawing = `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
        `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + end, 'latin1')
}

/** A PDF that asks for a password: standard security, with keys that no password fits. */
export const protectedPdf = (): Buffer =>
  pdfOf(
    ['hidden'],
    `/ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
  )

/** The start of a CFB file, which holds a stream of this name. */
export function cfbOf(stream: string): Buffer {
  const file = Buffer.alloc(4096)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  Buffer.from(stream, 'utf16le').copy(file, 1024)
  return file
}

/** A PNG of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
