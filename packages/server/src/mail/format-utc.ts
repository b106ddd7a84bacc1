const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
  hourCycle: 'h23',
})

/** A date and time for messages, in UTC wherever they are read. */
export const formatUtc = (date: Date): string => `${format.format(date)} UTC`
