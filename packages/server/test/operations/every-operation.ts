import { after, before, describe, it } from 'node:test'
import { assertLogged, testRandomRequests } from '../hostile/fuzz.ts'
import { operationsOf, type Slice } from './samples.ts'
import { testDeclaredForm } from './walk/declared-form.ts'
import { makeGround, type Ground } from './walk/ground.ts'
import { testHiddenResources } from './walk/hidden-resources.ts'
import { testMatrixRows } from './walk/matrix-row.ts'
import { testPerformed } from './walk/performed.ts'
import { testRefusedForms } from './walk/refused-forms.ts'

/**
 * Tests what holds for every operation, on the operations of some slices. What an operation declares for itself is tested for
 * each; what generic code decides, with the representatives (classes.ts). Call it once in a process.
 */
export function testEveryOperation(...slices: readonly Slice[]): void {
  let ground: Ground
  const on = () => ground
  before(async () => void (ground = await makeGround()))
  after(() => ground.close())
  for (const operation of slices.flatMap(operationsOf))
    describe(operation.name, () => {
      testMatrixRows(on, operation)
      testDeclaredForm(operation)
      testRefusedForms(on, operation)
      testHiddenResources(on, operation)
      testRandomRequests(on, operation)
      testPerformed(on, operation)
    })
  it('leaves a log of whole lines, and no fault in it', () => assertLogged(ground.service.logged))
}
