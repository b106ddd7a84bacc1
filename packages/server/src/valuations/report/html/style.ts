/** The style of the page: one column, black on white, on a screen of any width and on paper of any size. */
export const style = `
:root { color-scheme: light; --ink: #16202c; --quiet: #55606e; --line: #d5dae1; --soft: #f4f6f9; --main: #1f4e79; --second: #6f97bd; --third: #b9cfe3; --fall: #b4552d; --signed: #1d6b45; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 58rem; padding: 2.5rem 1.5rem 4rem; background: #fff; color: var(--ink); font: 1rem/1.55 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif; overflow-wrap: anywhere; }
h1, h2, h3, table, figcaption, svg, nav, .result, .kind, .notice, .tree, footer { font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { margin: .2rem 0 .6rem; font-size: clamp(1.6rem, 1.2rem + 2vw, 2.3rem); line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 3.2rem 0 1rem; padding-bottom: .35rem; border-bottom: 2px solid var(--main); font-size: 1.35rem; line-height: 1.3; color: var(--main); }
h3 { margin: 2rem 0 .6rem; font-size: 1.02rem; line-height: 1.35; }
p { max-width: 42rem; margin: .7rem 0; }
a { color: var(--main); }
a:focus-visible, .scroll:focus-visible { outline: 3px solid var(--second); outline-offset: 2px; }
.kind { margin: 0; color: var(--quiet); font-size: .85rem; letter-spacing: .06em; text-transform: uppercase; }
.notice { max-width: none; margin: 1.2rem 0; padding: .8rem 1rem; border-left: 4px solid var(--fall); background: #fbf3ef; font-size: .95rem; font-weight: 600; }
.signed .notice { border-color: var(--signed); background: #eef6f1; }
.result { display: grid; grid-template-columns: 1fr 1.4fr 1fr; margin: 1.6rem 0 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.result div { padding: .9rem 1rem; text-align: center; }
.result div + div { border-left: 1px solid var(--line); }
.result .point { background: var(--main); color: #fff; }
.result dt { font-size: .8rem; opacity: .85; }
.result dd { margin: .15rem 0 0; font-size: 1.02rem; font-variant-numeric: tabular-nums; }
.result .point dd { font-size: 1.45rem; font-weight: 700; }
.under { margin: .6rem 0 0; max-width: none; color: var(--quiet); font-size: .9rem; text-align: center; }
nav ol { columns: 2 20rem; column-gap: 2.5rem; padding-left: 1.9rem; font-size: .95rem; }
nav li { margin: .3rem 0; padding-left: .3rem; break-inside: avoid; }
nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
ul { max-width: 46rem; padding-left: 1.3rem; }
li { margin: .3rem 0; }
.tree { max-width: none; padding-left: 0; list-style: none; font-size: .84rem; line-height: 1.45; }
.tree ul { padding-left: .95rem; border-left: 1px solid var(--line); list-style: none; font-size: 1em; max-width: none; }
.tree li { margin: .28rem 0; }
.scroll { margin: .6rem 0 1.2rem; overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; font-size: .86rem; line-height: 1.4; font-variant-numeric: tabular-nums; }
caption { padding: 0 0 .45rem; text-align: left; font-weight: 600; font-size: 1.02rem; }
th, td { padding: .38rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); unicode-bidi: isolate; overflow-wrap: anywhere; min-width: 8rem; max-width: 22rem; }
thead th { overflow-wrap: break-word; min-width: 0; background: var(--soft); border-bottom: 1.5px solid var(--second); font-size: .8rem; vertical-align: bottom; }
tbody th { font-weight: 500; }
th.n, td.n { text-align: right; min-width: 0; } td.n { white-space: nowrap; }
.narrow { max-width: 38rem; }
td.code { font: .72rem/1.4 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; min-width: 11rem; }
.facts table { min-width: 0; width: 100%; table-layout: fixed; } .facts th { width: 34%; color: var(--quiet); font-weight: 500; } .facts td { max-width: none; } .facts td.code { min-width: 0; }
figure { margin: 1.6rem 0 0; }
figcaption { margin-bottom: .5rem; font-weight: 600; font-size: 1.02rem; }
figure svg { display: block; width: 100%; max-width: 38rem; height: auto; margin: 0 0 .8rem; overflow: visible; }
svg text { font-size: 12.5px; fill: var(--ink); paint-order: stroke; stroke: #fff; stroke-width: 4px; stroke-linejoin: round; }
svg .tick { font-size: 10.5px; fill: var(--quiet); } svg .value { font-size: 12px; font-weight: 600; font-variant-numeric: tabular-nums; } svg .small { font-size: 10.5px; } svg .strong { font-weight: 700; }
svg .grid { stroke: var(--line); stroke-width: 1; } svg .axis { stroke: var(--ink); stroke-width: 1.2; } svg .guide { stroke: var(--main); stroke-width: 1.2; stroke-dasharray: 4 3; }
svg .bar { fill: var(--second); } svg .result { fill: var(--main); } svg .below { fill: var(--second); } svg .above { fill: var(--main); } svg .total { fill: var(--main); } svg .rise { fill: var(--second); } svg .fall { fill: var(--fall); }
svg .s0 { fill: var(--main); } svg .s1 { fill: var(--second); } svg .s2 { fill: var(--third); } svg .mark { fill: var(--ink); } svg .result-mark { fill: #fff; stroke: var(--ink); stroke-width: 1.5; }
footer { margin-top: 3rem; padding-top: .8rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .8rem; }
@media (max-width: 34rem) {
  body { padding: 1.4rem 1rem 3rem; }
  .result { grid-template-columns: 1fr 1fr; } .result .point { grid-column: 1 / -1; order: -1; } .result div + div { border-left: 0; } .result div:last-child { border-left: 1px solid var(--line); }
  h2 { margin-top: 2.6rem; font-size: 1.2rem; } .facts th { width: 38%; }
  .tree ul { padding-left: .55rem; }
  svg text { font-size: 14.5px; } svg .tick { font-size: 12.5px; } svg .value { font-size: 14px; } svg .small { font-size: 11.5px; }
}
@page { margin: 18mm 16mm 20mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; color: #55606e; } }
@page wide { size: landscape; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; line-height: 1.45; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h1 { font-size: 20pt; } h2 { margin-top: 9mm; font-size: 13.5pt; } h3, caption, figcaption { font-size: 10.5pt; }
  h2, h3, caption, figcaption { break-after: avoid; }
  .page { break-before: page; } .page h2 { margin-top: 0; }
  tr, .result, .notice, .keep { break-inside: avoid; } figure + .scroll { break-before: avoid; } thead { display: table-header-group; }
  .scroll { overflow: visible; } .wide { page: wide; }
  table { width: 100%; font-size: 8.2pt; } thead th { font-size: 7.6pt; } th, td { padding: 1mm 1.5mm; min-width: 19mm; max-width: none; } .narrow { max-width: 125mm; } td.code { font-size: 6.6pt; min-width: 0; } .facts table { font-size: 9pt; }
  figure svg { max-width: 125mm; } .tree { font-size: 8pt; } p, li { orphans: 3; widows: 3; }
  a { color: inherit; text-decoration: none; } footer { display: none; }
}
`
