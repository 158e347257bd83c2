import { readQualities } from './quality.ts'

/** Whether an `Accept` header asks for HTML by name, as browsers do. Programs that accept anything get JSON problems. */
export const asksForHtml = (accept: string | undefined): boolean =>
  accept !== undefined && (readQualities(accept).get('text/html') ?? 0) > 0

/**
 * Whether an `Accept` header asks for a page's markdown twin: named, and not less than HTML.
 * No browser names `text/markdown`; agents that do mean it.
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (!accept?.includes('markdown')) return false
  const qualities = readQualities(accept)
  const markdown = qualities.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (qualities.get('text/html') ?? 0)
}
