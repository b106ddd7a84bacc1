import type { Command } from 'commander'
import { addAccessFlags, type AccessFlags } from '../access-flags.ts'
import { jsonText } from '../operations/output/print-answer.ts'
import type { Finding } from './finding.ts'

interface DoctorFlags extends AccessFlags {
  json?: true
}

/** Adds `wbs doctor`. */
export function addDoctor(wbs: Command): void {
  addAccessFlags(wbs.command('doctor'))
    .description(
      'Check what commands need: versions, the address, the clock, the credential, the Workspace. It changes nothing but an expired session, which it renews.',
    )
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExit codes: 0 nothing is wrong, 1 something is.')
    .action(async ({ json, ...flags }: DoctorFlags) => {
      const { examine } = await import('./examine.ts')
      const findings = await examine(flags)
      console.log(json ? jsonText(findings, 2) : findings.flatMap(linesOf).join('\n'))
      const count = findings.filter(({ status }) => status === 'wrong').length
      if (!json)
        console.log(
          count === 0
            ? '\nNothing is wrong.'
            : `\n${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`,
        )
      process.exitCode = count === 0 ? 0 : 1
    })
}

function linesOf({ check, status, message, advice }: Finding): string[] {
  const line = `${status.padEnd(8)}${check.padEnd(13)}${message}`
  return advice === null ? [line] : [line, `${' '.repeat(21)}${advice}`]
}
