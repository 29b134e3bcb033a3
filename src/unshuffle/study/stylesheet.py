"""The stylesheet of the HTML page of a report: light, dark, for phones and for paper."""

from __future__ import annotations

# Every colour of text has a contrast of at least 4.5 to 1 with the page, every colour of a picture 3 to 1.
DAY = {
    "paper": "#ffffff", "ink": "#1c2126", "faint": "#59626c", "rule": "#d5dae0", "tint": "#f3f5f7", "link": "#1b4f8a",
    "won": "#1b4f8a", "lost": "#868c95", "undecided": "#5a93cf", "shadow": "#00000040",
    "band": "#1b4f8a2e", "open-band": "#5a93cf40",
}  # fmt: skip
"""The light colours, which image files use too."""
BY_DAY = "".join(f"  --{name}: {colour};\n" for name, colour in DAY.items())
BY_NIGHT = """\
    --paper: #14181d; --ink: #e4e8ec; --faint: #a3adb8; --rule: #353c45; --tint: #1d2329; --link: #8ec5ff;
    --won: #8ec5ff; --lost: #7b838d; --undecided: #4a86c5;
    --shadow: #ffffff40; --band: #8ec5ff38; --open-band: #4a86c540;
"""
PICTURES = """\
svg { display: block; overflow: visible; width: 100%; }
svg text { fill: var(--faint); font-size: .75rem; }
.rates { list-style: none; margin: 0; padding: 0; }
.rates li { align-items: center; display: grid; gap: 0 1rem; grid-template-columns: minmax(8rem, 15rem) 1fr 12.5rem; }
.rates .name { font-size: .875rem; overflow-wrap: anywhere; }
.rates .value { font-size: .875rem; font-variant-numeric: tabular-nums; line-height: 1.25; }
.rates small { color: var(--faint); display: block; font-size: .8rem; }
.panels { display: grid; gap: 1.5rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); }
.panel h3 { font-size: .9rem; font-weight: 600; margin: 0 0 .25rem; overflow-wrap: anywhere; }
.panel > svg { padding-left: 3rem; }
.panel p { color: var(--faint); font-size: .8rem; margin: 0 0 .5rem; }
.key { display: flex; flex-wrap: wrap; font-size: .85rem; gap: .25rem 1.25rem; list-style: none;
  margin: 0 0 .75rem; padding: 0; }
.key svg { display: inline-block; height: 12px; margin-right: .4rem; vertical-align: -1px; width: 22px; }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis { stroke: var(--faint); stroke-width: 1; }
.won { fill: var(--won); } .lost { fill: var(--lost); } .undecided { fill: var(--undecided); }
.line { fill: none; stroke: var(--won); stroke-width: 2; } .open-line { fill: none; stroke: var(--undecided);
  stroke-width: 2; }
.band { fill: var(--band); } .open-band { fill: var(--open-band); }
.ring { fill: var(--paper); stroke: var(--undecided); stroke-width: 2; }
"""
"""The rules for pictures."""

STYLESHEET = f"""\
:root {{
  color-scheme: light dark;
{BY_DAY}}}
@media (prefers-color-scheme: dark) {{
  :root {{
{BY_NIGHT}  }}
}}
* {{ box-sizing: border-box; }}
html {{ background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }}
body {{ margin: 0 auto; max-width: 70rem; padding: 1.5rem 1.25rem 4rem; }}
h1 {{ font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.25rem; line-height: 1.3; margin: 2.5rem 0 .75rem; padding-top: .75rem;
  border-top: 1px solid var(--rule); }}
p {{ margin: .5rem 0; max-width: 46rem; overflow-wrap: anywhere; }}
a {{ color: var(--link); }}
.lead {{ font-size: 1.1rem; }}
nav ul {{ display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 1rem 0 0; padding: 0;
  font-size: .9rem; }}
code, pre {{ font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; }}
pre {{ background: var(--tint); border: 1px solid var(--rule); border-radius: 6px; margin: .75rem 0;
  padding: .75rem 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }}
/* What goes on beyond an edge throws a shadow there. */
.scroll {{ margin: .75rem 0; overflow-x: auto; background-repeat: no-repeat; background-color: var(--paper);
  background-image: linear-gradient(to right, var(--paper) 50%, transparent),
    linear-gradient(to left, var(--paper) 50%, transparent),
    linear-gradient(to right, var(--shadow), transparent), linear-gradient(to left, var(--shadow), transparent);
  background-position: left, right, left, right; background-size: 32px 100%, 32px 100%, 12px 100%, 12px 100%;
  background-attachment: local, local, scroll, scroll; }}
table {{ border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }}
caption {{ height: 1px; margin: -1px; overflow: hidden; position: absolute; width: 1px; clip-path: inset(50%); }}
th, td {{ border-bottom: 1px solid var(--rule); padding: .3rem .6rem; text-align: left; vertical-align: top;
  white-space: nowrap; }}
td:not(.number) {{ min-width: 8rem; white-space: normal; }}
.number {{ text-align: right; }}
thead th {{ border-bottom: 2px solid var(--faint); color: var(--faint); font-weight: 600; vertical-align: bottom; }}
tbody th {{ font-weight: 500; }}
th:first-child {{ background: var(--paper); left: 0; padding-left: 0; position: sticky; }}
dl {{ margin: .75rem 0; }}
dl div {{ display: grid; gap: 0 1rem; grid-template-columns: 9rem 1fr; padding: .2rem 0; }}
dt {{ color: var(--faint); }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
figure {{ margin: .75rem 0 1.25rem; }}
figcaption {{ color: var(--faint); font-size: .875rem; margin-top: .5rem; max-width: 46rem; }}
{PICTURES}@media (max-width: 40rem) {{
  body {{ padding: 1rem .9rem 3rem; }}
  dl div {{ grid-template-columns: 1fr; padding: .3rem 0; }}
  .rates li {{ grid-template-columns: 1fr auto; padding-bottom: .4rem; }}
  .rates svg {{ grid-column: 1 / -1; grid-row: 2; }}
  .rates .value {{ text-align: right; }}
}}
@media print {{
  :root {{
    --paper: #ffffff; --ink: #000000; --faint: #444444; --rule: #bbbbbb; --tint: #ffffff; --link: #000000;
    --won: #1b4f8a; --lost: #868c95; --undecided: #5a93cf;
    --band: #1b4f8a2e; --open-band: #5a93cf40;
  }}
  html {{ font-size: 11px; print-color-adjust: exact; }}
  body {{ max-width: none; padding: 0; }}
  nav {{ display: none; }}
  .scroll {{ background: none; overflow: visible; }}
  th, td {{ padding: .15rem .4rem; white-space: normal; }}
  th:first-child {{ position: static; }}
  .panel, .rates li, tr, pre {{ break-inside: avoid; }}
  h2 {{ break-after: avoid; }}
}}
"""
