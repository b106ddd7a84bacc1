import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Block } from './document.ts'
import { planOf, type Step } from './plan.ts'
import { missingFor, root, type ProjectFolder } from './project-folder.ts'
import { openShell, type Ran, type Shell } from './shell.ts'
import { jsonDifferences, textDifferences } from './shown-answer.ts'
import type { ErrorAnswer } from './watched-service.ts'

/** The environment in which documents are run. */
export interface Surroundings {
  folder: ProjectFolder
  env: NodeJS.ProcessEnv
  /** The address of the service in documents, and its real one; the first is for commands. */
  address: { shown: string; real: string[] }
  /** The errors that the service answered since the last call. */
  errors(): ErrorAnswer[]
}

interface Reading {
  name: string
  shell: Shell
  around: Surroundings
}

/** Runs a document from its first block to its last, and reports what is wrong: `DOCUMENT:LINE what`. */
export async function checkDocument(name: string, markdown: string, around: Surroundings): Promise<string[]> {
  const { folder, env } = around
  const shell = await openShell({ cwd: folder.path, env })
  const findings: string[] = []
  try {
    for (const step of planOf(markdown)) {
      const { found, over } = await follow(step, { name, shell, around })
      findings.push(...found.map(finding => `${name}:${step.block.line} ${finding}`))
      if (over) break
    }
  } finally {
    await shell.close()
  }
  return findings
}

/** Runs one step. `over` says that later steps cannot be run. */
async function follow(step: Step, reading: Reading): Promise<{ found: string[]; over?: boolean }> {
  if (step.kind === 'save') return { found: await save(step.name, step.block, reading.around) }
  if (step.kind === 'run') return run(step.block, step.answer, reading)
  return { found: wrongInText(step, reading.name) }
}

/** Reports what is wrong with a document as far as its text shows it, without running a command. */
export const checkText = (name: string, markdown: string): string[] =>
  planOf(markdown).flatMap(step =>
    wrongInText(step, name).map(finding => `${name}:${step.block.line} ${finding}`),
  )

function wrongInText(step: Step, document: string): string[] {
  switch (step.kind) {
    case 'wrong':
      return [step.finding]
    case 'not run':
      return step.block.language === 'sh' ? missingFor(step.block.text).map(lacks) : []
    case 'run by':
      return isRunBy(step.test, document) ? [] : [`No test ${step.test} names this document.`]
    default:
      return []
  }
}

const lacks = (what: string) => `The block is not run, and asks for what is not there: ${what}.`

function isRunBy(test: string, document: string): boolean {
  const file = join(root, test)
  return (
    test.endsWith('.test.ts') && existsSync(file) && readFileSync(file, 'utf8').includes(basename(document))
  )
}

async function save(name: string, { text, language }: Block, around: Surroundings): Promise<string[]> {
  const { folder, address } = around
  await folder.save(name, text.replaceAll(address.shown, address.real[0] ?? ''))
  const errors = language === 'ts' ? await folder.typeErrors(name) : ''
  return errors === '' ? [] : [`The compiler refuses ${name}:\n${indented(errors)}`]
}

async function run(
  block: Block,
  answer: Block | null,
  { shell, around }: Reading,
): Promise<{ found: string[]; over?: boolean }> {
  const { shown, real } = around.address
  const ran = await shell.run(block.text.replaceAll(shown, real[0] ?? ''))
  const stdout = real.reduce((text, address) => text.replaceAll(address, shown), ran.stdout)
  const hidden = around.errors().filter(error => !isShown(error, answer))
  const found = [
    ...(ran.ended === null ? [] : [`A command failed, and the shell ended (${ran.ended}).`]),
    ...hidden.map(
      ({ request, status, code }) =>
        `${request} answered ${status} ${code}, which the document does not show.`,
    ),
    ...(ran.ended === null ? answerDifferences(stdout, answer) : []),
  ]
  const finding = [...found, ...printed({ ...ran, stdout })].join('\n')
  return { found: found.length > 0 ? [finding] : [], over: ran.ended !== null }
}

/** An error is shown if its code is, or its status if it has no code. */
const isShown = ({ code, status }: ErrorAnswer, answer: Block | null) =>
  answer !== null && new RegExp(`\\b${code || status}\\b`).test(answer.text)

function answerDifferences(stdout: string, answer: Block | null): string[] {
  if (answer === null)
    return stdout.trim() === ''
      ? []
      : ['The document does not show the answer: write it in a json or text block behind this one.']
  const compare = answer.language === 'json' ? jsonDifferences : textDifferences
  const differences = compare(answer.text, stdout)
  return differences.length === 0
    ? []
    : [`The answer is not the one of line ${answer.line}:\n${indented(differences.join('\n'))}`]
}

/** The output of a block, with JSON split into lines. */
function printed({ stdout, stderr }: Ran): string[] {
  const parts = { 'It printed:': readable(stdout), 'It said on standard error:': stderr.trim() }
  return Object.entries(parts)
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${title}\n${indented(text)}`)
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text.trim()
  }
}

const indented = (text: string) => text.trimEnd().replaceAll(/^/gm, '  ')
