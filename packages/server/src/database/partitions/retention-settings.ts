/** For how many days history is kept at least; null for ever. */
export interface Retention {
  event_days: number | null
  receipt_days: number | null
}

/**
 * A key is kept for 30 days. The day more is for clocks, and for changes that were running when the next period began. Events
 * and receipts are kept at least as long as the keys of their changes.
 */
export const commandDays = 31
