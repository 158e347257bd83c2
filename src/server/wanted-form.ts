import { readQualities } from './quality.ts'

/** Whether an `Accept` header asks for HTML by name, as browsers do. Programs that accept anything get JSON problems. */
export const asksForHtml = (accept: string | undefined): boolean =>
  accept !== undefined && (readQualities(accept).get('text/html') ?? 0) > 0

/**
 * Which form of a page an `Accept` header asks for. A twin is only sent to those who name it, by its weight against
 * that of HTML, which wildcards may give (RFC 9110, 12.5.1). Markdown wins a draw: no browser names it, agents that do
 * mean it. Plain text must be wanted more than HTML: HTTP libraries name it beside a wildcard without meaning it.
 *
 * @example wantedForm('text/markdown, text/html;q=0.9') // 'markdown'
 */
export function wantedForm(accept: string | undefined): 'html' | 'markdown' | 'plain' {
  if (accept === undefined || !/markdown|plain/i.test(accept)) return 'html'
  const qualities = readQualities(accept)
  const html = qualities.get('text/html') ?? qualities.get('text/*') ?? qualities.get('*/*') ?? 0
  const markdown = qualities.get('text/markdown') ?? 0
  const plain = qualities.get('text/plain') ?? 0
  if (markdown > 0 && markdown >= html && markdown >= plain) return 'markdown'
  return plain > html ? 'plain' : 'html'
}
