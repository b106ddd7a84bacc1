import { walkXml } from './walk-xml.ts'

/** A sheet, and the file of the zip that has its cells. */
export interface SheetPart {
  name: string
  path: string
}

/** What the cells of a workbook refer to. */
export interface CellParts {
  /** Texts that cells name by their place. */
  texts: readonly string[]
  /** The numbers of the styles that show a number as a date. */
  dateStyles: ReadonlySet<number>
  /** Whether days are counted from 1904 instead of 1900. */
  is1904: boolean
}

/** What a workbook refers to: the kind of the part, such as worksheet, and its file of the zip. */
interface Relation {
  kind: string
  path: string
}

/** The parts of a workbook by their ids. */
export function relationsOf(xml: string): Map<string, Relation> {
  const relations = new Map<string, Relation>()
  walkXml(xml, () => ({
    open(name, attributes) {
      const { Id, Target, Type } = name === 'Relationship' ? attributes() : {}
      if (Id && Target && Type)
        relations.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), path: pathIn('xl/', Target) })
    },
  }))
  return relations
}

/** The sheets of cells in their order. */
export function sheetsOf(
  xml: string,
  relations: ReadonlyMap<string, Relation>,
): { sheets: SheetPart[]; is1904: boolean } {
  const sheets: SheetPart[] = []
  let is1904 = false
  walkXml(xml, () => ({
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = ['1', 'true'].includes(attributes()['date1904'] ?? '')
      if (tag !== 'sheet') return
      const { name = '', id = '' } = attributes()
      const found = relations.get(id)
      if (found?.kind === 'worksheet') sheets.push({ name, path: found.path })
    },
  }))
  return { sheets, is1904 }
}

/** The name in the zip of what a part of a folder refers to. */
const pathIn = (folder: string, target: string): string =>
  target.startsWith('/') ? target.slice(1) : folder + target.replace(/^\.\//, '')

/** The texts of the part `sharedStrings`, without the pronunciation that some have. */
export function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  let text = ''
  let isText = false
  let isPronunciation = false
  walkXml(xml, () => ({
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') isPronunciation = true
      else if (name === 't') isText = !isPronunciation
    },
    text(part) {
      if (isText) text += part
    },
    close(name) {
      if (name === 'si') texts.push(unescaped(text))
      else if (name === 'rPh') isPronunciation = false
      else if (name === 't') isText = false
    },
  }))
  return texts
}

/** The numbers of the styles of the part `styles` that show a date or a time. */
export function dateStylesOf(xml: string): Set<number> {
  const dateFormats = new Set<number>()
  const styles: number[] = []
  let isInStyles = false
  walkXml(xml, () => ({
    open(name, attributes) {
      if (name === 'cellXfs') isInStyles = true
      if (name === 'xf' && isInStyles) styles.push(Number(attributes()['numFmtId'] ?? 0))
      if (name !== 'numFmt') return
      const { numFmtId, formatCode = '' } = attributes()
      if (isDateFormat(formatCode)) dateFormats.add(Number(numFmtId))
    },
    close(name) {
      if (name === 'cellXfs') isInStyles = false
    },
  }))
  return new Set(styles.flatMap((format, at) => (isBuiltIn(format) || dateFormats.has(format) ? [at] : [])))
}

/** The numbers of date formats that need no declaration. */
const isBuiltIn = (format: number): boolean =>
  (format >= 14 && format <= 22) ||
  (format >= 27 && format <= 36) ||
  (format >= 45 && format <= 47) ||
  (format >= 50 && format <= 58)

/** Letters in quotes, in brackets and after a backslash are not of the format itself. */
const isDateFormat = (code: string): boolean =>
  /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|_./gi, ''))

/** Office writes characters that XML does not allow as _x000D_. */
export const unescaped = (text: string): string =>
  text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
