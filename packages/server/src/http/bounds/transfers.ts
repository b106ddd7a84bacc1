import type { BodySender } from './bodies.ts'
import { createKeyedCounter, once, type Release } from './keyed-counter.ts'
import { nodeFull, tooMany } from './too-many.ts'

/** How many transfers of content may run at once on a node. */
export interface TransferLimits {
  perCaller: number
  perAddress: number
  perNode: number
}

/** The transfers of content that run: downloads, and parts of uploads. */
export interface Transfers {
  /** Counts a transfer. Throws rate_limited if its sender has too many, and unavailable if the node has. */
  begin(sender: BodySender): Release
  count(): number
}

/**
 * Limits the transfers of content. They take as long as the client's line needs, so they hold no slot of the requests
 * that are carried out; but each has a file open and some buffers in memory.
 */
export function createTransfers(most: TransferLimits): Transfers {
  const ofAddresses = createKeyedCounter()
  const ofCallers = createKeyedCounter()

  function refuseOneMore({ address, principal }: BodySender): void {
    if (principal !== null && ofCallers.of(principal) >= most.perCaller)
      throw tooMany('transfers', `You already have ${most.perCaller} transfers. Wait until one of them ends.`)
    if (ofAddresses.of(address) >= most.perAddress)
      throw tooMany(
        'transfers',
        `Your address already has ${most.perAddress} transfers. Wait until one of them ends.`,
      )
    if (ofAddresses.total() >= most.perNode)
      throw nodeFull('Too many transfers are running on this node. Try again.')
  }

  return {
    begin(sender) {
      refuseOneMore(sender)
      const { address, principal } = sender
      const leaveAddress = ofAddresses.add(address)
      const leaveCaller = principal === null ? undefined : ofCallers.add(principal)
      return once(() => {
        leaveAddress()
        leaveCaller?.()
      })
    },
    count: ofAddresses.total,
  }
}
