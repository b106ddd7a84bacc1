/** The style sheet of the pages. It loads no fonts or images. */
export const style = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e3e6ea); --quiet: light-dark(#57606a, #9aa4b0); --paper: light-dark(#fff, #14171b); --shade: light-dark(#f5f6f8, #1d2127); --line: light-dark(#d9dde2, #343b44); --link: light-dark(#0a58b5, #7db7ff); --change: light-dark(#9a3c00, #ffa869); --text: light-dark(#116329, #8ddb8c); --here: light-dark(#e8f0fb, #1e2c3f); }
[data-colours=light] { color-scheme: light; }
[data-colours=dark] { color-scheme: dark; }
*, ::before { box-sizing: border-box; }
html { font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); scroll-padding-top: 4.5rem; overflow-wrap: anywhere; }
body { margin: 0; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0 0 .25rem; font-size: 1.9rem; letter-spacing: -.015em; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.25rem; letter-spacing: -.01em; }
h3 { margin: 1.75rem 0 .25rem; font-size: 1.05rem; }
h2 a { color: inherit; text-decoration: none; }
a { color: var(--link); text-underline-offset: .15em; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
main:focus { outline: none; }
p { margin: .5rem 0; }
p, dl, .chapter > :not(table) { max-width: 46rem; }
code, pre, .reads, .changes { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: .875em; }
pre { margin: 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--shade); white-space: pre-wrap; line-height: 1.5; font-size: .8rem; }
pre code { font-size: inherit; }
pre .name { color: var(--link); }
pre .text { color: var(--text); }
var { color: var(--quiet); }
small, .quiet { color: var(--quiet); font-size: .8125rem; font-weight: 400; }
.lead { font-size: 1.1rem; }
.unseen, thead span, table > caption span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: fixed; z-index: 3; top: .5rem; left: -99rem; padding: .5rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); }
.skip:focus { left: .5rem; }
input, select, button { font: inherit; font-size: .875rem; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; padding: .35rem .6rem; }
button { cursor: pointer; }

#top { position: sticky; z-index: 2; top: 0; display: flex; flex-wrap: wrap; align-items: center; gap: .35rem 1.25rem; padding: .5rem 1rem; border-bottom: 1px solid var(--line); background: var(--paper); }
#top p { margin: 0; }
.home { font-weight: 600; }
.home a { color: inherit; text-decoration: none; }
[role=search] { position: relative; display: flex; flex: 1 1 14rem; gap: .4rem; align-items: center; max-width: 34rem; }
[role=search] label { font-size: .875rem; }
[role=search] input { flex: 1; min-width: 0; }
.scripted [role=search] > button { display: none; }
.colours { font-size: .875rem; }
.colours label { margin-right: .4rem; color: var(--quiet); }
[role=listbox] { position: absolute; top: 100%; left: 0; right: 0; max-height: min(28rem, 70vh); margin: .3rem 0 0; padding: .3rem; overflow-y: auto; list-style: none; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); box-shadow: 0 .4rem 1.5rem #0004; }
[role=listbox] a { display: block; padding: .4rem .6rem; border-radius: .35rem; color: inherit; text-decoration: none; }
[role=listbox] span { display: block; color: var(--quiet); font-size: .8125rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
[aria-selected=true] > a, [role=listbox] a:hover { background: var(--here); }
[role=listbox] .none { padding: .4rem .6rem; color: var(--quiet); }

nav[aria-label=Contents] { padding: 0 1rem; border-bottom: 1px solid var(--line); font-size: .9rem; }
nav summary { padding: .6rem 0; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav ul ul { margin: 0 0 .35rem .6rem; border-left: 1px solid var(--line); padding-left: .35rem; }
nav details > p { margin: 1.1rem 0 .2rem; padding: 0 .5rem; font-size: .8125rem; font-weight: 600; color: var(--quiet); }
nav[aria-label=Contents] a { display: block; padding: .28rem .5rem; border-radius: .35rem; color: var(--ink); text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav [aria-current] { background: var(--here); color: var(--link) !important; font-weight: 600; }
.sections a { font-size: .8125rem; color: var(--quiet) !important; }
.reads { color: var(--link); font-weight: 600; }
.changes { color: var(--change); font-weight: 600; }

main { padding: 1.5rem 1rem 5rem; min-width: 0; }
.route { margin: .25rem 0 .75rem; }
.route code { font-size: .9375rem; }
figure { margin: 0 0 1.25rem; }
figcaption { margin-bottom: .35rem; font-size: .8125rem; font-weight: 600; }
.panel + .panel { margin-top: .75rem; }
.panel .label { margin: 0 0 .35rem; color: var(--quiet); font-size: .8125rem; }
.scripted .tablist ~ .panel .label { display: none; }
.scripted .tablist ~ .panel { margin: 0; }
.tablist { display: flex; gap: .25rem; margin-bottom: .5rem; }
.tablist button { padding: .2rem .7rem; border-color: transparent; background: none; color: var(--quiet); }
.tablist [aria-selected=true] { border-color: var(--line); background: var(--shade); color: var(--ink); font-weight: 600; }
.frame { position: relative; }
.copy { position: absolute; top: .4rem; right: .4rem; padding: .1rem .5rem; font-size: .75rem; }
.frame pre { padding-right: 4.5rem; }
figure .frame pre { padding-right: 1rem; }
figure .copy { top: -2rem; right: 0; }
aside pre { max-height: 34rem; overflow-y: auto; }
article:not(.operation) > pre, article:not(.operation) .frame { max-width: 46rem; }
section > pre, .chapter > pre, article > pre, article > .frame, .chapter > .frame { margin: .75rem 0; }
dl { margin: .75rem 0; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; }
.access { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; font-size: .9375rem; }
.access dt { color: var(--quiet); font-weight: 400; }
.access dd { margin: 0; }
.operations, .columns { padding: 0; list-style: none; columns: 17rem; column-gap: 2rem; }
.operations li, .columns li { padding: .15rem 0; break-inside: avoid; }
.operations span { font-size: .6875rem; }
:target > th, :target > td, li:target { background: var(--here); }
.neighbours { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.neighbours small { display: block; }
.neighbours a:last-child:not(:first-child) { text-align: end; }

table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: .9375rem; }
th, td { padding: .5rem 0; border-top: 1px solid var(--line); text-align: start; vertical-align: top; }
th { padding-right: .75rem; font-weight: 600; }
thead th { padding: 0; border: 0; line-height: 0; }
thead th:first-child { width: 38%; }
th small, td > small { display: block; }
.type { display: block; color: var(--quiet); }
.type:last-child { color: inherit; }
.inner > td { padding: 0 0 .5rem; border: 0; }
.inner > td > details { padding-left: .9rem; border-left: 2px solid var(--line); }
summary { width: fit-content; max-width: 100%; padding: .25rem 0; color: var(--link); font-size: .9rem; cursor: pointer; }
.rule { padding: .4rem .75rem; border-left: 3px solid var(--change); background: var(--shade); }

@media (min-width: 62rem) {
  body { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); }
  #top { grid-column: 1 / 3; padding: .6rem 1.5rem; }
  nav[aria-label=Contents] { position: sticky; top: 3.4rem; align-self: start; height: calc(100vh - 3.4rem); padding: .5rem .75rem 3rem 1rem; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); }
  nav summary { display: none; }
  main { padding: 2rem 2.5rem 5rem; max-width: 92rem; }
  thead th:first-child { width: 32%; }
}
@media (min-width: 72rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(20rem, 40%); column-gap: 2.5rem; grid-auto-flow: dense; }
  .operation > * { grid-column: 1; }
  .operation > aside { grid-column: 2; grid-row: 1 / span 99; }
  aside pre { max-height: none; }
  .operation > aside > div { position: sticky; top: 4.5rem; max-height: calc(100vh - 5.5rem); overflow-y: auto; }
}
@media (max-width: 61.99rem) { #top { position: static; } html { scroll-padding-top: 1rem; } .operation > aside { margin-top: 1.5rem; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  nav, #top form, .colours, .copy, .tablist { display: none !important; }
  #top { position: static; }
  body, .operation { display: block; }
  aside pre { max-height: none; }
  .panel[hidden] { display: block; }
}
`
