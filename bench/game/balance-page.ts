import type { Summary } from './summarize-lives.ts'

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

interface Circumstances {
  readonly date: string
  readonly lives: number
  /** For each bot, the largest share of its deaths that one cause may have. */
  readonly limits: Readonly<Record<string, number>>
}

const toTable = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0))) ?? []
  const [head = '', ...body] = rows.map(
    (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  )
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')
}

function toFigures(summaries: readonly Summary[], limits: Circumstances['limits']): string {
  const row = (name: string, of: (summary: Summary) => string) => [name, ...summaries.map(of)]
  return toTable([
    row('', ({ bot }) => bot),
    row('lives', ({ lives }) => `${lives}`),
    row('got out with the Amulet', ({ wins, lives }) => `${wins} (${percent(wins / lives)})`),
    row(
      'depth: a tenth / half / nine tenths',
      ({ depths: { tenth, median, ninety } }) => `${tenth} / ${median} / ${ninety}`,
    ),
    row('decisions in a life', ({ decisions }) => decisions.toFixed(0)),
    row('turns for a decision', ({ turnsPerDecision }) => turnsPerDecision.toFixed(1)),
    row('kills', ({ kills }) => kills.toFixed(1)),
    row('gold', ({ gold }) => gold.toFixed(0)),
    row('things used', ({ itemsUsed }) => itemsUsed.toFixed(1)),
    row('commonest death', ({ causes }) => `${causes[0]?.cause ?? 'none'}, ${percent(causes[0]?.share ?? 0)}`),
    row('may be at most', ({ bot }) => percent(limits[bot] ?? 1)),
  ])
}

const toReach = (summaries: readonly Summary[]): string =>
  toTable([
    ['reached depth', ...summaries.map(({ bot }) => bot)],
    ...Array.from({ length: 12 }, (_, n) => [`${n + 1}`, ...summaries.map(({ reached }) => percent(reached[n] ?? 0))]),
  ])

const toLists = (summaries: readonly Summary[], of: (summary: Summary) => readonly string[]): string =>
  summaries.map((summary) => `- **${summary.bot}**: ${of(summary).join(', ')}`).join('\n')

/** The text of `docs/undercroft-balance.md`: how hard the dungeon is for each bot. */
export const toBalancePage = (summaries: readonly Summary[], { date, lives, limits }: Circumstances): string =>
  `# How hard the Undercroft is

Written by \`node bench/game/main.ts --lives ${lives}\` on ${date}; do not edit. Three bots play ${lives} lives each, alone, in worlds whose seeds are always the same. They choose their keys by the observation that any agent gets and know nothing else: *random* presses any key that does something, *greedy* hits, drinks and explores, *careful* has read the manual, rests, runs and keeps potions for bad moments.

What is wanted: the random bot dies early, the careful one gets out now and then (between 0.5 and 5 of a hundred), and nobody dies of one thing only.

![Share of lives that reach each depth](undercroft-depths.svg)

${toFigures(summaries, limits)}

*Things used* counts potions, scrolls, wands, charms, changes of gear and shots.

## How deep

${toReach(summaries)}

## What they die of

![The commonest causes of death](undercroft-causes.svg)

${toLists(summaries, ({ causes }) => causes.slice(0, 25).map(({ cause, share }) => `${cause} ${percent(share)}`))}

## What they use

Per life, as it was called when it was used.

${toLists(summaries, ({ used }) => used.slice(0, 25).map(({ name, perLife }) => `${name} ${perLife.toFixed(1)}`))}
`
