import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { DocumentFault } from '../engine.ts'
import { capitalFaults } from './capital-faults.ts'
import { inputFaults } from './input-faults.ts'
import { methodFaults } from './method-faults.ts'
import { statementFaults } from './statement-faults.ts'
import { subjectFaults } from './subject-faults.ts'

/**
 * What is wrong with a document that has the right form, as far as it shows without computing. Of a draft without methods,
 * the inputs are judged.
 */
export const documentFaults = (document: ValuationDocument): DocumentFault[] => [
  ...subjectFaults(document),
  ...statementFaults(document),
  ...capitalFaults(document.inputs.cost_of_capital),
  ...inputFaults(document),
  ...methodFaults(document),
]
