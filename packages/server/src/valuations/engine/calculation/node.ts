import type { nodeOps } from '@wbs/contract/valuations/result'
import type { Decimal } from '../decimal.ts'
import type { FunctionName } from './functions.ts'

export type NodeOp = (typeof nodeOps)[number]

/** The unit of a node: a currency as in ISO 4217, or what the figure is. */
export type Unit = 'ratio' | 'multiple' | 'years' | 'shares' | (string & {})

/** From where an input comes. */
export interface Origin {
  source?: string | null
  /** YYYY-MM-DD. */
  as_of?: string | null
  evidence_id?: string | null
}

/** A figure of a calculation. Its value follows from the values of its inputs, by its operation. */
export interface CalculationNode extends Origin {
  /** Unique in the calculation, and the same for the same figure in another one: `sde_multiple.multiple`. */
  id: string
  label: string
  op: NodeOp
  /** For `lookup`: the function. */
  lookup?: FunctionName
  value: Decimal
  unit: Unit
  /** How the value follows, in the names of its inputs: `SDE × multiple`. */
  formula: string
  inputs: readonly CalculationNode[]
  /** Set if sensitivity tries other values of this figure: how far it may plausibly lie below and above. */
  spread?: { low: Decimal; high: Decimal }
}

/** A calculation as it is stored: its nodes in the order in which they were computed; the last one is the root. */
export interface StoredNode extends Origin {
  id: string
  label: string
  op: NodeOp
  lookup?: FunctionName
  /** A decimal string, exact to 34 significant digits. */
  value: string
  unit: string
  formula: string
  /** The positions of its inputs among the nodes. */
  inputs: number[]
  spread?: { low: string; high: string }
}
