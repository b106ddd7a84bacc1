/** Who sees the Files that guests bring into a Room, besides managers. */
export type GuestFiles = 'uploader' | 'everyone'

/** Who sees the Files that guests bring into a Room: unless it was chosen, it follows from whom guests see there. */
export const guestFilesOf = ({
  guest_files,
  participant_visibility,
}: {
  guest_files: GuestFiles | null
  participant_visibility: 'everyone' | 'managers'
}): GuestFiles => guest_files ?? (participant_visibility === 'managers' ? 'uploader' : 'everyone')
