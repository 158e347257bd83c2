/**
 * The `Link` header of the front page (RFC 8288): what a program that knows nothing but the domain needs next. Checkers
 * read the header of the answer; links inside the HTML do not count for them.
 */
export const homeLinks: string = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</agents>; rel="service-doc"; type="text/html"',
  '</index.md>; rel="alternate"; type="text/markdown"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</feed.json>; rel="alternate"; type="application/feed+json"',
].join(', ')
