import type { Alternate } from '../core/alternate.ts'
import { toInline, toSections, toTable } from '../core/markdown.ts'
import { toMinuteText } from '../core/minute-text.ts'
import type { SiteStatus } from '../jobs/site-status.ts'

const toTime = (date: Date | undefined): string => (date === undefined ? '' : toMinuteText(date))

/** The status page as markdown, made per request. */
export const toStatusAlternate = (
  { checkedAt, ledger, facilitator, settling, settlementsLeft, runsJobs, jobs, troubles }: SiteStatus,
  baseUrl: string,
): Alternate => ({
  path: '/status',
  title: 'Status',
  summary: troubles.length === 0 ? 'Everything works.' : 'Something needs attention.',
  updatedAt: checkedAt,
  body: toSections(
    troubles.map((trouble) => `- ${toInline(trouble)}`).join('\n'),
    `Ledger: ${ledger ? 'takes writes' : 'cannot be written'}. Facilitator: ${facilitator ? 'answers' : 'does not answer'}. Payments: ${settling ? 'settle' : 'do not settle'}.`,
    settlementsLeft !== undefined && `Gas: enough for ${settlementsLeft.toLocaleString('en')} settlements.`,
    '## Jobs',
    !runsJobs && 'This server runs no jobs by itself (JOBS=off).',
    toTable(
      ['Job', 'State', 'Last run', 'What it did', 'Next'],
      jobs.map(({ title, state, lastAt, sentence = '', nextAt }) => [
        title,
        state,
        toTime(lastAt),
        toInline(sentence),
        toTime(runsJobs ? nextAt : undefined),
      ]),
    ),
    `Checked ${toTime(checkedAt)}. For programs: [/api/cron-health.json](${baseUrl}/api/cron-health.json), [/readyz](${baseUrl}/readyz)`,
  ),
})
