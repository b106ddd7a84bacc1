const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
  hourCycle: 'h23',
})

/** A moment as a message says it: wherever it is read, in UTC. */
export const formatUtc = (date: Date): string => `${format.format(date)} UTC`
