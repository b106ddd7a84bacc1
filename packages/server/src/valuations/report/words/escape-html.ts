/** Text for an element or a quoted attribute of HTML and of SVG. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"'`]/g, character => `&#${character.charCodeAt(0)};`)
