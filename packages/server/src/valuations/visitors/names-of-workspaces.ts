import type { InputError } from '@wbs/contract/problems'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { isDefaultSet } from '../benchmark-sets/benchmark-set-access.ts'

const needsAccount = (pointer: string, detail: string): InputError => ({
  in: 'body',
  pointer,
  code: 'conflict',
  detail: `${detail} Sign in and name a Workspace in SVC-Workspace-Id.`,
})

/** What a visitor's document names of a Workspace, which only its members may use. */
export function namesOfWorkspaces({
  subject,
  business_id,
  inputs,
  methods = [],
}: ValuationDocument): InputError[] {
  const { benchmark_set_id } = inputs
  const assets = methods.flatMap((method, i) =>
    'assets' in method
      ? method.assets.flatMap((asset, at) =>
          typeof asset.asset_id === 'string' ? [`/methods/${i}/assets/${at}/asset_id`] : [],
        )
      : [],
  )
  return [
    ...(subject.type === 'portfolio'
      ? [needsAccount('/subject/type', 'A portfolio is valued in its Workspace.')]
      : []),
    ...(typeof subject.id === 'string'
      ? [needsAccount('/subject/id', 'Without an account, the subject has a name and no id.')]
      : []),
    ...(typeof business_id === 'string'
      ? [needsAccount('/business_id', 'Without an account, a valuation belongs to no Business.')]
      : []),
    ...(typeof benchmark_set_id === 'string' && !isDefaultSet(benchmark_set_id)
      ? [
          needsAccount(
            '/inputs/benchmark_set_id',
            "Without an account, you have the service's own benchmark set.",
          ),
        ]
      : []),
    ...assets.map(pointer => needsAccount(pointer, 'Without an account, an asset has a name and no id.')),
  ]
}
