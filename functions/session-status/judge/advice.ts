/** What to do about a finding. */
export interface Advice {
  readonly title: string
  readonly fix: string
  readonly specUrls: readonly string[]
  /** Slug of the skill that goes into it. */
  readonly skill?: string
}

const define = <Id extends string>(table: Record<Id, Advice>): Readonly<Record<Id, Advice>> => table

const robotsUrl = 'https://www.rfc-editor.org/rfc/rfc9309.html'
const sitemapUrl = 'https://www.sitemaps.org/protocol.html'
const jsonFeedUrl = 'https://www.jsonfeed.org/version/1.1/'
const rssUrl = 'https://www.rssboard.org/rss-specification'
const llmsUrl = 'https://llmstxt.org/'
const x402Url = 'https://docs.x402.org/'
const metadataUrl = 'https://www.rfc-editor.org/rfc/rfc9728.html'
const mcpUrl = 'https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization'
const httpUrl = 'https://www.rfc-editor.org/rfc/rfc9110.html'
const htmlUrl = 'https://html.spec.whatwg.org/multipage/semantics.html'

const site = { skill: 'agent-ready-site' }
const feed = { skill: 'feed-doctor' }

/** How to mend what the checks find, most urgent things first: the order breaks ties between recommendations. */
export const adviceTable = define({
  'close-admin': {
    title: 'Close the admin interface',
    fix: 'Answer /_cms/admin/ with a login form, a redirect to one, or 401, before any page of the interface is made. Check its API paths too: hiding the page does not close them.',
    specUrls: ['https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html'],
  },
  'close-mcp': {
    title: 'Ask for a token at the MCP endpoint',
    fix: 'Answer requests without a valid bearer token with 401 and WWW-Authenticate: Bearer resource_metadata="https://…/.well-known/oauth-protected-resource", for every method, initialize and tools/list included.',
    specUrls: [mcpUrl, metadataUrl],
    skill: 'mcp-server-craft',
  },
  'bring-up': {
    title: 'Make the site answer',
    fix: 'Open the site over https from outside your own network. If the connection fails, look at the server, its firewall and port 443; if the certificate is refused, renew it for exactly this name with the chain complete; if the status is an error, look at the log.',
    specUrls: [httpUrl],
  },
  'publish-something': {
    title: 'Publish a page of your own',
    fix: 'Replace the default page of the web server, or point the server to the folder where your site is.',
    specUrls: [],
  },
  'mend-server-errors': {
    title: 'Mend the paths that end in a server error',
    fix: 'Look for these requests in the log. A path that does not exist is a 404; one that exists and fails tells every crawler to come back later, and some never do.',
    specUrls: [`${httpUrl}#name-server-error-5xx`],
  },
  'answer-404': {
    title: 'Answer 404 where there is nothing',
    fix: 'Let unknown paths end in status 404. An application that is drawn in the browser needs a rule in front of it: serve its page for the routes it has, and 404 for all others. Until then whoever asks for llms.txt is given your front page.',
    specUrls: [`${httpUrl}#name-404-not-found`],
    ...site,
  },
  'allow-indexing': {
    title: 'Let the front page be indexed',
    fix: 'Remove noindex from <meta name="robots"> and from the X-Robots-Tag header, unless the site is meant to stay unknown. It is often left over from a staging server.',
    specUrls: ['https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag'],
    ...site,
  },
  'open-robots': {
    title: 'Open robots.txt',
    fix: 'Under User-agent: * replace Disallow: / by the paths that nobody should crawl, or by an empty Disallow:. To keep single crawlers out, give each a group of its own.',
    specUrls: [robotsUrl],
    ...site,
  },
  'let-programs-in': {
    title: 'Let honest programs in',
    fix: 'We ask with a User-Agent that says who we are and run no scripts, as agents do. Exempt the listed paths from bot challenges and from address or country rules, or limit the rate instead and answer 429 with Retry-After.',
    specUrls: ['https://www.rfc-editor.org/rfc/rfc6585.html#section-4'],
    ...site,
  },
  'answer-all-paths': {
    title: 'Answer on every path',
    fix: 'These paths gave no complete answer within ten seconds while others did. Look for a rule, a proxy or a handler that swallows them, and for redirects that go in a circle or to http.',
    specUrls: [httpUrl],
  },
  'mend-402': {
    title: 'Send terms that can be paid',
    fix: 'Send the PAYMENT-REQUIRED header with every 402: base64 of JSON with x402Version 2, resource.url, and accepts[] with scheme, network, asset, amount, payTo and maxTimeoutSeconds. Then buy it once yourself with a stock client.',
    specUrls: [x402Url, 'https://github.com/x402-foundation/x402/blob/main/specs/x402-specification-v2.md'],
    skill: 'x402-seller',
  },
  'write-robots': {
    title: 'Write a robots.txt',
    fix: 'Serve /robots.txt as text/plain with at least: User-agent: *, Disallow: (empty), and a line Sitemap: https://…/sitemap.xml with the full address.',
    specUrls: [robotsUrl],
    ...site,
  },
  'write-sitemap': {
    title: 'Write a sitemap',
    fix: 'Serve /sitemap.xml as application/xml: a urlset of the namespace http://www.sitemaps.org/schemas/sitemap/0.9 with one url and loc per page, full addresses of this site, ampersands escaped; beyond 50,000 pages a sitemapindex.',
    specUrls: [sitemapUrl],
    ...site,
  },
  'send-text': {
    title: 'Send the text with the page',
    fix: 'Render the front page on the server or at build time, so that its words are in the HTML. Programs that read for a model rarely run scripts.',
    specUrls: [htmlUrl],
    ...site,
  },
  'write-llms': {
    title: 'Write an llms.txt',
    fix: 'Serve /llms.txt as text/plain or text/markdown: a line "# Name", a line "> what this site is", then sections of lists, each line "- [title](address): what is there". Keep it a table of contents.',
    specUrls: [llmsUrl],
    ...site,
  },
  'improve-llms': {
    title: 'Improve llms.txt',
    fix: 'Begin with one "# Name", then a blockquote of one or two sentences, then "## Docs" or the like with lists of links and a phrase for each. Stay below 50,000 characters, and link to markdown where there is any.',
    specUrls: [llmsUrl],
    ...site,
  },
  'guard-admin-shell': {
    title: 'Ask for the login before the admin page is sent',
    fix: 'The page may ask for a login once its scripts run; we cannot see that. Redirect to the login form on the server, send Cache-Control: no-store, and make sure that every API path behind it asks for the session.',
    specUrls: ['https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html'],
  },
  'write-metadata': {
    title: 'Publish correct protected-resource metadata',
    fix: 'Serve /.well-known/oauth-protected-resource as application/json with resource, the https address of the MCP endpoint or of this site, and authorization_servers, a list of https addresses of issuers that exist.',
    specUrls: [metadataUrl, mcpUrl],
    skill: 'mcp-server-craft',
  },
  'announce-metadata': {
    title: 'Say where tokens come from',
    fix: 'Add resource_metadata="https://…/.well-known/oauth-protected-resource" to the WWW-Authenticate: Bearer header of the 401.',
    specUrls: [metadataUrl],
    skill: 'mcp-server-craft',
  },
  'describe-front-page': {
    title: 'Let the front page introduce itself',
    fix: 'Give it <html lang="…">, a <title> and <meta name="description" content="…"> of one or two sentences. Search results and agents quote them.',
    specUrls: [htmlUrl],
    ...site,
  },
  'mend-rss': {
    title: 'Mend the RSS feed',
    fix: 'Escape & and < in the feed, give every item a title, a link and a guid that never changes, and check it with a validator after each change of the template.',
    specUrls: [rssUrl, 'https://validator.w3.org/feed/'],
    ...feed,
  },
  'mend-json-feed': {
    title: 'Mend the JSON Feed',
    fix: 'Needed are version "https://jsonfeed.org/version/1.1", title, and items, each with an id that is text and with content_html or content_text.',
    specUrls: [jsonFeedUrl],
    ...feed,
  },
  'mend-skills': {
    title: 'Mend skills.json',
    fix: 'Serve one JSON object with items, a list of objects with at least slug or name, and with a count that is the length of the list.',
    specUrls: ['https://agentskills.io/specification'],
    ...site,
  },
  'mend-catalog': {
    title: 'Mend the catalog',
    fix: 'Serve one JSON object; give every entry for sale an absolute https buyUrl of this site and its payment terms (network, asset, payTo), and make each buyUrl answer 402 with the same terms.',
    specUrls: [x402Url],
    skill: 'x402-seller',
  },
  'name-sitemap': {
    title: 'Name the sitemap in robots.txt',
    fix: 'Add a line Sitemap: with the full https address of the sitemap, outside of any group.',
    specUrls: [sitemapUrl],
    ...site,
  },
  'address-ai-crawlers': {
    title: 'Address AI crawlers by name',
    fix: 'Add groups for the crawlers you have an opinion on, such as GPTBot, ClaudeBot, PerplexityBot, Google-Extended and CCBot, whether you allow or disallow them. A crawler that finds its name does not have to guess.',
    specUrls: [robotsUrl],
    ...site,
  },
  'send-content-signals': {
    title: 'Say what the texts may be used for',
    fix: 'Add a line to the group User-agent: *, for example Content-Signal: search=yes, ai-input=yes, ai-train=no.',
    specUrls: ['https://contentsignals.org/'],
    ...site,
  },
  'write-llms-full': {
    title: 'Offer the texts in one document',
    fix: 'Write /llms-full.txt with the build: every published text as markdown, one after the other, with title and address. It may be free, or answer 402 with terms.',
    specUrls: [llmsUrl],
    ...site,
  },
  'write-rss': {
    title: 'Offer a feed',
    fix: 'Serve /rss.xml as application/rss+xml with the newest entries, their texts and stable guids, or redirect to the feed you have.',
    specUrls: [rssUrl],
    ...feed,
  },
  'write-json-feed': {
    title: 'Offer the feed as JSON, too',
    fix: 'Serve /feed.json as application/feed+json. It says the same as the RSS feed and is easier for programs.',
    specUrls: [jsonFeedUrl],
    ...feed,
  },
  'announce-feeds': {
    title: 'Lead from the front page to the feed',
    fix: 'Add <link rel="alternate" type="application/rss+xml" title="…" href="/rss.xml"> to the head of every page.',
    specUrls: ['https://www.rssboard.org/rss-autodiscovery'],
    ...feed,
  },
  'send-link-headers': {
    title: 'Send Link headers from the front page',
    fix: 'Answer / with Link: </llms.txt>; rel="service-doc", </openapi.json>; rel="service-desc" for what you have, so that a program needs the headers only.',
    specUrls: ['https://www.rfc-editor.org/rfc/rfc8288.html', 'https://www.rfc-editor.org/rfc/rfc8631.html'],
    ...site,
  },
  'offer-markdown': {
    title: 'Offer pages as markdown',
    fix: 'Answer Accept: text/markdown with the text of the page as text/markdown, send Vary: Accept, and say so with Link: <…>; rel="alternate"; type="text/markdown".',
    specUrls: ['https://www.rfc-editor.org/rfc/rfc7763.html'],
    ...site,
  },
  'add-structured-data': {
    title: 'Describe the site in JSON-LD',
    fix: 'Add one <script type="application/ld+json"> with a WebSite, Organization or Person of schema.org, and articles on their own pages. Check that it is valid JSON.',
    specUrls: ['https://schema.org/docs/gs.html'],
    ...site,
  },
  'date-sitemap': {
    title: 'Date the entries of the sitemap',
    fix: 'Add lastmod with the day on which the page really changed, so that crawlers need not fetch all of them to find out.',
    specUrls: [sitemapUrl],
    ...site,
  },
  'label-types': {
    title: 'Label documents with their types',
    fix: 'Send Content-Type: application/xml for sitemaps, application/rss+xml or application/atom+xml for feeds, application/feed+json for JSON Feed.',
    specUrls: ['https://www.iana.org/assignments/media-types/media-types.xhtml'],
    ...feed,
  },
  'answer-sooner': {
    title: 'Answer sooner',
    fix: 'Serve these documents as files or from a cache. Most agents give up after a few seconds, and each of them asks for several.',
    specUrls: ['https://web.dev/articles/ttfb'],
  },
  'send-hsts': {
    title: 'Stay with https',
    fix: 'Send Strict-Transport-Security: max-age=31536000 once every page works over https.',
    specUrls: ['https://www.rfc-editor.org/rfc/rfc6797.html'],
  },
  compress: {
    title: 'Compress texts',
    fix: 'Turn on gzip or brotli for HTML, XML, JSON and plain text in the server or the proxy in front of it.',
    specUrls: [`${httpUrl}#name-content-encoding`],
  },
  cache: {
    title: 'Let pages be asked for again cheaply',
    fix: 'Send ETag or Last-Modified, and answer If-None-Match with 304. A crawler that comes daily then costs almost nothing.',
    specUrls: ['https://www.rfc-editor.org/rfc/rfc9111.html'],
  },
})

export type AdviceId = keyof typeof adviceTable
