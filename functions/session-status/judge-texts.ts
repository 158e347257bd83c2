import { type Judgement, judge } from './checks.ts'
import { nameOf } from './judge-crawling.ts'
import { findTerms } from './payment-terms.ts'
import { findAnswer, presence, type Site } from './seen.ts'

const longestContents = 50_000

/** llms.txt and llms-full.txt. */
export const judgeTexts = (site: Site): Judgement[] => [...judgeContents(site), ...judgeFullText(site)]

function judgeContents(site: Site): Judgement[] {
  const seen = site.get('/llms.txt')
  const answer = findAnswer(seen)
  if (!answer)
    return presence(seen) === 'absent' ? [judge('llms-missing', false, 'There is nothing at /llms.txt.')] : []
  const there = judge('llms-missing', true, '')
  if (answer.kind !== 'text') return [there, judge('llms-not-text', false, `The body is ${nameOf(answer)}.`)]
  const type = answer.fetched.headers.get('content-type') ?? ''
  const lines = answer.text.split(/\r\n?|\n/).map((line) => line.trim())
  const words = lines.filter((line) => line !== '')
  const leads = /\]\(\S/.test(answer.text)
  return [
    there,
    judge('llms-not-text', /^text\/(?:plain|markdown)/i.test(type), `Its Content-Type is ${type || 'missing'}.`),
    judge('llms-no-heading', /^# \S/.test(words[0] ?? ''), 'Its first line is not “# Name”.'),
    judge(
      'llms-no-summary',
      words.slice(1, 4).some((line) => /^> ?\S/.test(line)),
      'No blockquote follows the heading.',
    ),
    judge('llms-no-links', leads, 'It has no markdown link.'),
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
  const answer = findAnswer(seen)
  if (!answer)
    return presence(seen) === 'absent' ? [judge('llms-full-missing', false, 'There is nothing at /llms-full.txt.')] : []
  const isText = answer.kind === 'text'
  return [judge('llms-full-missing', true, ''), judge('llms-full-not-text', isText, `The body is ${nameOf(answer)}.`)]
}
