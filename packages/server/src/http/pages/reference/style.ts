// The tag `css` would make formatters reformat this; one rule a line is easier to read.
import { html as sheet } from './html.ts'

/** The style sheet of the page. It loads no fonts, images or colours. */
export const style = sheet`
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #57606a; --paper: #fff; --shade: #f5f6f8; --line: #d9dde2; --link: #0a58b5; --change: #9a3c00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e6ea; --quiet: #9aa4b0; --paper: #14171b; --shade: #1d2127; --line: #343b44; --link: #7db7ff; --change: #ffa869; }
}
*, ::before { box-sizing: border-box; }
html { font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); scroll-padding-top: 1.5rem; overflow-wrap: anywhere; }
body { max-width: 86rem; margin: 0 auto; padding: 0 1rem 6rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 2.5rem 0 0; font-size: 1.9rem; letter-spacing: -.015em; }
h2 { margin: clamp(3rem, 8vw, 4.5rem) 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); font-size: 1.5rem; letter-spacing: -.01em; }
h3 { margin: 0 0 .25rem; font-size: 1.15rem; }
h3 a { color: inherit; text-decoration: none; }
a { color: var(--link); text-underline-offset: .15em; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
main:focus { outline: none; }
p { margin: .5rem 0; }
p, .chapter > * { max-width: 44rem; }
.chapter > h2 { max-width: none; }
code, pre, .reads, .changes { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: .875em; }
pre { margin: .75rem 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--shade); white-space: pre-wrap; line-height: 1.5; }
pre code { font-size: inherit; }
var { color: var(--quiet); }
small, .quiet { color: var(--quiet); font-size: .8125rem; font-weight: 400; }
.lead { font-size: 1.1rem; }
thead span, .inner caption span, .schema > table > caption span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip, .up { position: fixed; z-index: 1; padding: .5rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); }
.skip { top: .5rem; left: -99rem; }
.skip:focus { left: .5rem; }
.up { right: .75rem; bottom: .75rem; border-radius: 2rem; box-shadow: 0 .1rem .5rem #0003; font-size: .875rem; text-decoration: none; }

nav summary { padding: .6rem 0; }
nav ul { margin: 0 0 1rem; padding: 0; list-style: none; }
nav p { margin: 1.25rem 0 .25rem; font-size: .875rem; font-weight: 600; }
nav a { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; padding: .35rem 0; color: var(--ink); font-size: .9rem; text-decoration: none; }
nav .reads, nav .changes { font-size: .6875rem; }
.reads { color: var(--link); font-weight: 600; }
.changes { color: var(--change); font-weight: 600; }

article { padding: 1.75rem 0; }
article + article { border-top: 1px solid var(--line); }
article:target > h3 a { text-decoration: underline 2px var(--link); text-underline-offset: .3em; }
.route { margin: 0 0 .75rem; }
.route code { font-size: .9375rem; }
figure { margin: 1rem 0 0; }
figcaption, caption { padding: 1rem 0 .35rem; color: var(--quiet); font-size: .8125rem; font-weight: 600; text-align: start; }
figcaption { padding: 0; }
figure pre { margin-top: .35rem; font-size: .8rem; }
dl { margin: .75rem 0; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; }
.access { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; font-size: .9375rem; }
.access dt { color: var(--quiet); font-weight: 400; }
.access dd { margin: 0; }

table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: .9375rem; }
th, td { padding: .5rem 0; border-top: 1px solid var(--line); text-align: start; vertical-align: top; }
th { padding-right: .75rem; font-weight: 600; }
thead th { padding: 0; border: 0; line-height: 0; }
thead th:first-child { width: 42%; }
th small { display: block; }
.type { display: block; color: var(--quiet); }
.type:last-child { color: inherit; }
.inner > td { padding: 0 0 .5rem; border: 0; }
details.inner { margin-top: .75rem; }
.inner > td > details { padding-left: .9rem; border-left: 2px solid var(--line); }
.inner caption, .schema > table > caption { padding: 0; }
.schema > table { margin-top: .5rem; }
summary { width: fit-content; max-width: 100%; padding: .25rem 0; color: var(--link); font-size: .9rem; cursor: pointer; }

@media (min-width: 62rem) {
  body { display: grid; grid-template: auto 1fr / 15rem minmax(0, 1fr); column-gap: 3.5rem; padding: 0 2rem 6rem; }
  header, main { grid-column: 2; }
  nav { grid-area: 1 / 1 / 3 / 2; position: sticky; top: 0; align-self: start; max-height: 100vh; padding: 2.5rem 1rem 2rem 0; overflow-y: auto; }
  .up { display: none; }
  thead th:first-child { width: 36%; }
  @supports selector(::details-content) {
    nav summary { display: none; }
    nav details::details-content { content-visibility: visible; block-size: auto; }
  }
}
@media (min-width: 80rem) {
  section > article:has(figure) { display: grid; grid-template: auto auto 1fr / minmax(0, 1fr) 26rem; column-gap: 2.5rem; }
  section > article > * { grid-column: 1; }
  section > article > figure { grid-column: 2; grid-row: 3; position: sticky; top: 1.5rem; align-self: start; margin: 0; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`
