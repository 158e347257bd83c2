/** Styles of the charts, with a dark scheme; the careful bot is copper. */
export const chartStyle = `
svg{font-family:Georgia,'Times New Roman',serif;--paper:#fbf8f1;--ink:#22201c;--grey:#6d675d;--line:#d9d2c4;--copper:#a2552b}
@media (prefers-color-scheme:dark){svg{--paper:#171512;--ink:#ece5d8;--grey:#a49b8c;--line:#38332b;--copper:#d98a55}}
.paper{fill:var(--paper)}.heading{font-size:17px;font-weight:bold;fill:var(--ink)}
.figure{font-size:12px;fill:var(--grey)}.rule{stroke:var(--line);fill:none}.limit{stroke:var(--copper);stroke-dasharray:3 3;fill:none}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round}.line-0{stroke:var(--grey);stroke-dasharray:2 4}.line-1{stroke:var(--ink)}.line-2{stroke:var(--copper)}
.name{font-size:13px}.name-0{fill:var(--grey)}.name-1{fill:var(--ink)}.name-2{fill:var(--copper)}
.bar{fill:var(--ink)}.bar-2{fill:var(--copper)}.bar-0{fill:var(--grey)}.cause{font-size:12px;fill:var(--ink)}`
