/** What somebody has mailed within the past hour, and what their recipient has got. */
export interface MailedInHour {
  /** By the sender to the recipient in the Room. */
  in_room: number
  /** By the sender to the recipient. */
  to_recipient: number
  /** By the sender to anybody. */
  of_sender: number
  /** To the recipient by anybody; of each sender as many count as `mostInRoom`. */
  of_recipient: number
}

/** How many mails an hour of one sender to one recipient in one Room go out. */
export const mostInRoom = 20

/** How many of one sender, and how many to one recipient. */
const most = 100

/**
 * Whether one more mail goes out at once; else it waits for the digest of its recipient. The mails of a
 * sender are bounded. Those to a recipient are bounded too, but five senders are needed to reach that, and even then the first mail of
 * each sender goes out: nobody can use up what others may send.
 */
export const isWithinBudget = ({ in_room, to_recipient, of_sender, of_recipient }: MailedInHour): boolean =>
  in_room < mostInRoom && of_sender < most && (of_recipient < most || to_recipient === 0)
