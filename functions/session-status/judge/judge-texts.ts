import { nameOf } from '../read/body-kind.ts'
import { findTerms } from '../read/find-terms.ts'
import type { Answered, Site } from '../read/seen.ts'
import { toPrintable } from '../read/to-printable.ts'
import { type Judgement, judge, judgeDocument, judgeKind, judgeType, judgeValidators } from './checks.ts'

const longestContents = 50_000

/** llms.txt and llms-full.txt. */
export const judgeTexts = (site: Site): Judgement[] => [
  ...judgeDocument(site, '/llms.txt', 'llms-missing', judgeContents),
  ...judgeFullText(site),
]

function judgeContents(answer: Answered): Judgement[] {
  if (answer.kind !== 'text') return [judgeKind('llms-not-text', answer)]
  const lines = answer.text.split(/\r\n?|\n/).map((line) => line.trim())
  const words = lines.filter((line) => line !== '')
  const leads = [...answer.text.matchAll(/\]\(([^\s)]{1,2000})/g)].map(([, address = '']) => address)
  const plain = leads.filter((address) => /\.(?:md|txt)(?:[?#]|$)/i.test(address))
  const rule = lines.find((line) => /^(?:user-agent|disallow|allow)\s*:/i.test(line))
  return [
    judgeType('llms-not-text', answer, /^text\/(?:plain|markdown)/i),
    judge('llms-no-heading', /^# \S/.test(words[0] ?? ''), 'Its first line is not “# Name”.'),
    judge(
      'llms-no-summary',
      words.slice(1, 4).some((line) => /^> ?\S/.test(line)),
      'No blockquote follows the heading.',
    ),
    judge(
      'llms-no-sections',
      lines.some((line) => /^## \S/.test(line)),
      'It has no “## Section”.',
    ),
    judge('llms-no-links', leads.length > 0, 'It has no markdown link.'),
    judge(
      'llms-pages',
      plain.length * 2 >= leads.length,
      `${leads.length - plain.length} of ${leads.length} links lead to something else than plain text.`,
    ),
    judge('llms-rules', rule === undefined, `It has a line of robots.txt: “${toPrintable(rule ?? '', 60)}”.`),
    judgeValidators('llms-no-validators', answer),
    judge(
      'llms-too-long',
      answer.text.length <= longestContents,
      `It has ${answer.fetched.isCut ? 'more than ' : ''}${answer.text.length} characters.`,
    ),
  ]
}

function judgeFullText(site: Site): Judgement[] {
  const seen = site.get('/llms-full.txt')
  if (seen.is === 'answered' && seen.fetched.status === 402) {
    const terms = findTerms(seen)
    return [
      judge('llms-full-missing', true, ''),
      judge('llms-full-not-text', true, ''),
      judge(
        'llms-full-terms',
        terms !== undefined,
        'It answers 402 without a PAYMENT-REQUIRED header that can be read.',
      ),
    ]
  }
  return judgeDocument(site, '/llms-full.txt', 'llms-full-missing', (answer) => [
    judge('llms-full-not-text', answer.kind === 'text', `The body is ${nameOf(answer)}.`),
  ])
}
