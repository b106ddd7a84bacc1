import { readFileSync } from 'node:fs'

/** The text of a template beside this file, with each `{{name}}` replaced. Throws if a value is missing. */
export function filled(template: string, values: Readonly<Record<string, string | number>>): string {
  const text = readFileSync(new URL(template, import.meta.url), 'utf8')
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${template} needs a value for ${name}.`)
    return String(value)
  })
}
