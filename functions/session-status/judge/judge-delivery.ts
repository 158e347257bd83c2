import type { FetchFailure } from '../../../src/fetching/fetched.ts'
import { readHtml } from '../read/read-html.ts'
import { type Answered, findAnswer, presence, type Seen, type Site } from '../read/seen.ts'
import { toPrintable } from '../read/to-printable.ts'
import { type Judgement, judge } from './checks.ts'

const slowMs = 2000
/** Bytes below which compression costs more than it saves. */
const worthCompressing = 2000

/** Why a path did not answer. All network failures read the same, so that they reveal nothing of a private network. */
export const failureText: Readonly<Record<FetchFailure, string>> = {
  unresolvable: 'could not be reached',
  refused: 'could not be reached',
  unreachable: 'could not be reached',
  timeout: 'took longer than ten seconds',
  certificate: 'has no certificate that can be trusted',
  'too-many-redirects': 'redirects more than three times',
  malformed: 'answers with something that is not HTTP',
}

/** Whether the site answers at all, and how well. */
export function judgeDelivery(site: Site): Judgement[] {
  const answered = site.all.filter((seen) => seen.is === 'answered')
  const [front, ...others] = site.all
  if (answered.length === 0) {
    const reason = front?.is === 'silent' ? failureText[front.reason] : 'could not be reached'
    return [judge('site-down', false, `None of the ${site.all.length} paths answered; the front page ${reason}.`)]
  }
  const failing = answered.filter(({ fetched }) => fetched.status >= 500)
  const turnedAway = others.filter(isTurnedAway)
  const silent = site.all.filter((seen) => seen.is === 'silent')
  const doubles = answered.filter(({ isDouble }) => isDouble)
  const slow = answered.filter(({ fetched }) => fetched.durationMs > slowMs)
  const first = answered[0]?.path
  return [
    ...(front ? judgeFront(front) : []),
    judge(
      'server-errors',
      failing.length === 0,
      `${list(failing)} answered with a 5xx status.`,
      failing[0]?.path ?? first,
    ),
    judge('turned-away', turnedAway.length === 0, `${list(turnedAway)} answered 403 or 429.`, turnedAway[0]?.path),
    judge(
      'silent-paths',
      silent.length === 0,
      `${silent.map(({ path, reason }) => `${path} ${failureText[reason]}`).join('; ')}.`,
      silent[0]?.path,
    ),
    judge(
      'soft-404',
      doubles.length === 0,
      `${list(doubles)} all got the same page with status 200.`,
      doubles[0]?.path,
    ),
    judge('slow', slow.length === 0, `${list(slow)} took longer than two seconds.`, slow[0]?.path),
    ...judgeHeaders(site),
  ]
}

/** The title of an error page that may be served with status 200. */
const missingPage = /^(?:error )?404\b|\b(?:page|seite|site|file) (?:was )?not (?:be )?found\b|^not found\b/i

function judgeFront(front: Seen): Judgement[] {
  if (front.is === 'silent') return [judge('front-fails', false, `The front page ${failureText[front.reason]}.`)]
  const { fetched, kind } = front
  const { status, redirects } = fetched
  if (presence(front) === 'absent')
    return [
      judge('front-missing', false, `GET / answered ${status}: there is no front page, only a page that says so.`),
    ]
  const title = kind === 'html' ? readHtml(front.text).title : ''
  if (missingPage.test(title))
    return [judge('front-missing', false, `GET / answered ${status} with a page titled “${toPrintable(title, 60)}”.`)]
  const detail = `GET / answered ${status} with ${kind === 'html' ? 'an HTML page' : `something that is not HTML (${kind})`}.`
  return [
    judge('front-missing', true, ''),
    judge('front-fails', status < 300 && kind === 'html', detail),
    judge(
      'front-redirects',
      redirects <= 1,
      `It takes ${redirects} redirects to get from ${front.url} to ${fetched.url}.`,
    ),
  ]
}

function judgeHeaders(site: Site): Judgement[] {
  const front = findAnswer(site.get('/'))
  if (!front) return []
  const { headers, body } = front.fetched
  const policy = headers.get('strict-transport-security') ?? ''
  const judgements = [
    judge('no-hsts', /max-age="?[1-9]/i.test(policy), 'The front page sends no Strict-Transport-Security header.'),
    judge(
      'no-validators',
      headers.has('etag') || headers.has('last-modified'),
      'The front page sends neither ETag nor Last-Modified.',
    ),
  ]
  const isSmall = body.length < worthCompressing
  const detail = `The front page has ${body.length} bytes and no Content-Encoding, though we accept gzip and br.`
  return [...judgements, judge('no-compression', isSmall || headers.has('content-encoding'), detail)]
}

// The admin interface and the MCP endpoint may rightly answer 403.
const isTurnedAway = (seen: Seen): boolean =>
  seen.is === 'answered' &&
  [403, 429].includes(seen.fetched.status) &&
  seen.path !== '/_cms/admin/' &&
  seen.path !== '/_cms/api/mcp'

const list = (seen: readonly (Seen | Answered)[]): string => seen.map(({ path }) => path).join(', ')
