import { deathSchema } from '../../game-server/protocol/dungeon.ts'
import * as play from '../../game-server/protocol/play-documents.ts'
import { boardQuery, deathsQuery, playerQuery } from '../../game-server/protocol/queries.ts'
import * as store from '../../game-server/protocol/store-documents.ts'
import { cronHealthSchema } from '../jobs/cron-health-schema.ts'
import { toolServerSchema } from '../mcp/tool-server-schema.ts'
import { mentionSchema } from '../mentions/mention-schema.ts'
import { voicesSchema } from '../narration/engines/voice-list.ts'
import { subscribeSchema } from '../newsletter/newsletter-schema.ts'
import { catalogSchema } from '../offers/catalog-schema.ts'
import { resourceListSchema, resourceQuery } from '../offers/resource-list.ts'
import { skillsManifestSchema } from '../offers/skills-manifest-schema.ts'
import {
  askingSchema,
  libraryQuery,
  librarySchema,
  messageSchema,
  signedInSchema,
  signedSchema,
} from '../owners/library-schema.ts'
import { receiptSchema } from '../payments/ledger/receipt-schema.ts'
import { searchQuery, transcriptQuery } from '../search/search-query.ts'
import { searchResultSchema } from '../search/search-result-schema.ts'
import { transcriptHitsSchema } from '../search/transcripts/transcript-hits-schema.ts'
import { statisticsSchema } from '../stats/statistics-schema.ts'
import {
  asset,
  builtJson,
  desk,
  deskForm,
  type Entry,
  endpoint,
  file,
  gamePage,
  gameText,
  livePage,
  oauth,
  oauthPost,
  operation,
  page,
  pageForms,
  program,
  programPost,
  sound,
  tools,
  toRoutes,
} from './declare.ts'
import { authorizing, exchanging, json, object, registering, revoking } from './oauth-requests.ts'
import { asking, rangeParameter, signInParameter } from './parameters.ts'
import type { Path, Route } from './route.ts'
import { onBoth } from './shared-routes.ts'
import * as orders from './store-orders.ts'
import { gameTools, siteTools } from './tool-messages.ts'

const ofSale = 'From the X-Receipt-Id header of the paid answer'
const kept = { status: 308, from: ofSale } as const
const ofDeath = { from: 'From a list of deaths' }
const forADay = { ...ofDeath, cache: 'a day' } as const
/** Few sites have such pages, and the page with the newer ones leads to each. */
const ofLongList = { isPrivate: true } as const
const html = 'text/html'
const markdown = 'text/markdown'
const text = 'text/plain'

/** All addresses of the site, except those of products, which their offers declare. */
export const siteRoutes = {
  // Pages. Each also exists as markdown, at its address plus .md.
  '/': page('home', 'Front page: the newest posts, and everything for sale', {}, { homeRelation: 'alternate' }),
  '/posts': page('posts', 'Posts: everything published, newest first'),
  '/posts/older/{number}': file('show-older-posts', html, 'Older posts: of a site with a hundred or more', ofLongList),
  '/posts/{slug}': page('post', 'Post: all of it'),
  '/tags': page('tags', 'Tags: what the posts are about'),
  '/tags/{tag}': page('tag', 'Tag: the posts about one thing'),
  '/tags/{tag}/older/{number}': file('show-older-posts-of-tag', html, 'Older posts about one thing', ofLongList),
  '/series/{series}': page('series', 'Series: posts that are read in an order'),
  '/authors/{author}': page('author', 'Author: who it is, and what they wrote'),
  '/authors/{author}/older/{number}': file('show-older-posts-of-author', html, 'Older posts of an author', ofLongList),
  '/skills': page('skills', 'Skills: every skill for sale'),
  '/skills/{slug}': page('skill', 'Skill: what is in it, and how it begins'),
  '/apis': page('apis', 'APIs: every API and all the writing, for sale'),
  '/apis/{slug}': page('api', 'API: what it takes, what it makes, a sample'),
  '/agents': page('agents', 'For agents: how to find, pay and retry', {
    pointer: 'agent_docs',
    relation: 'service-doc',
    homeRelation: 'service-doc',
  }),
  '/agents/mcp': page('tools', 'MCP server: how to connect to it'),
  '/podcast': page('podcast-page', 'Podcast page: the episodes for people', { pointer: 'podcast_landing' }),
  '/podcast/older/{number}': file('show-older-episodes', html, 'Older episodes, for people', ofLongList),
  '/search': page('search', 'Search page: search in everything published'),
  '/problems': page('problems', 'Errors: every error, and what to do about it'),
  '/problems/{kind}': page('problem', 'Problem: what one error means'),
  '/about': page('about', 'About: who makes this'),
  // Pages that are made per request.
  '/status': livePage('show-status', pageForms, 'Status page: what needs attention, and what each job last did'),
  '/status.md': endpoint('get-status-markdown', markdown, 'Status page as markdown', { cache: 'while asked' }),
  '/follow': livePage('show-follow', pageForms, 'Follow: new posts by e-mail, in a feed reader or as a podcast', {
    cache: 'by nobody else',
  }),
  '/follow.md': endpoint(
    'get-follow-markdown',
    markdown,
    'Follow: where new posts are told, by e-mail, in feeds and as a podcast',
    { section: 'feeds' },
  ),
  '/stats': livePage('show-statistics', pageForms, 'Sales: what was sold, for people', { cache: 'five minutes' }),
  '/stats.md': endpoint('get-statistics-markdown', markdown, 'Sales page as markdown', { cache: 'five minutes' }),
  '/posts/{slug}/transcript': livePage(
    'show-transcript',
    pageForms,
    'Transcript page: what is said in a narration, and when',
    {
      cache: 'five minutes',
      problems: ['not-found'],
    },
  ),
  '/posts/{slug}/transcript.md': endpoint('get-transcript-markdown', markdown, 'Transcript page as markdown', {
    problems: ['not-found'],
  }),
  '/previews/{slug}': livePage('show-preview', html, 'Preview: a post that is not published, for who has its link', {
    cache: 'by nobody else',
    isPrivate: true,
  }),
  '/receipts/{id}': livePage('show-receipt', html, 'Receipt page: the receipt of one sale, for people', {
    from: ofSale,
    cache: 'by nobody else',
  }),

  // The shop.
  '/api/catalog.json': builtJson(
    'get-catalog',
    catalogSchema,
    'Catalog: everything for sale, and pointers to every other document',
    { relation: 'service-meta', section: 'programs' },
  ),
  '/skills.json': builtJson(
    'get-skills-manifest',
    skillsManifestSchema,
    'Skills manifest: the skills alone, with what an installer needs',
    { pointer: 'skills_manifest', relation: 'service-meta', section: 'programs' },
  ),
  '/skills/{slug}/install': file(
    'get-install-script',
    text,
    'Install script: fetches a paid skill and keeps it; read it before you run it',
    { cache: 'while asked' },
  ),
  '/buy.mjs': file(
    'get-buying-program',
    'text/javascript',
    'Buying program: pays for one request, and needs Node alone',
  ),
  '/api/x402/media/voices': endpoint('get-voices', voicesSchema, 'Voices: who can read a text aloud, with samples', {
    section: 'programs',
  }),
  '/api/x402/media/voices/{voiceId}.mp3': sound(
    'get-voice-sample',
    'audio/mpeg',
    'Voice sample: a few seconds of speech',
    { from: 'From the sampleUrl of a voice', cache: 'a day' },
  ),
  '/api/receipts/{id}.json': endpoint(
    'get-receipt',
    receiptSchema,
    'Receipt: proof of one sale; its page is /receipts/{id}',
    { from: ofSale, cache: 'a minute' },
  ),
  '/api/stats.json': endpoint('get-statistics', statisticsSchema, 'Statistics: what was sold', { pointer: 'stats' }),

  // The library: what a wallet has bought.
  '/library': livePage('show-library', html, 'Library: what your wallet bought, to be had again', {
    parameters: asking(libraryQuery).parameters,
    cache: 'by nobody else',
  }),
  '/api/library.json': program(
    'get-library',
    librarySchema,
    'Library as JSON: what the wallet that signed in bought, newest first',
    {
      parameters: [...asking(libraryQuery).parameters, signInParameter],
      cache: 'by nobody else',
      problems: ['invalid-input', 'wallet-sign-in-required', 'busy'],
      section: 'programs',
    },
  ),
  '/api/library.csv': program('get-library-csv', 'text/csv', 'Library as CSV: the same for accounts', {
    parameters: [...asking(libraryQuery).parameters, signInParameter],
    cache: 'by nobody else',
    problems: ['invalid-input', 'wallet-sign-in-required', 'busy'],
  }),
  '/api/library/message': programPost('get-sign-in-message', messageSchema, 'Sign-in message: what the wallet signs', {
    body: { schema: askingSchema, example: { address: '0x2222222222222222222222222222222222221402' } },
    problems: ['invalid-input', 'body-too-large', 'unsupported-media-type', 'wallet-sign-in-required'],
  }),
  '/api/library/sign-in': programPost('sign-in', signedInSchema, 'Sign-in: with the message that the wallet signed', {
    body: { schema: signedSchema, example: { message: 'shop.example wants you to sign in …', signature: '0x00' } },
    problems: ['invalid-input', 'body-too-large', 'unsupported-media-type', 'wallet-sign-in-required', 'busy'],
  }),
  '/api/library/sign-out': programPost('sign-out', html, 'Sign-out: of every browser of the wallet', { status: 303 }),
  '/api/library/{id}': program('fetch-purchase', '*/*', 'Purchase: the bytes that the wallet bought, for nothing', {
    from: 'From the receiptId of a purchase',
    parameters: [signInParameter],
    cache: 'by nobody else',
    responses: { 304: { description: 'If-None-Match named what was bought: it is the same' } },
    problems: ['not-found', 'wallet-sign-in-required', 'already-delivered', 'busy'],
  }),

  // The writing, read by programs.
  '/feed.json': file('get-json-feed', 'application/feed+json', 'JSON Feed: the newest posts, whole', {
    pointer: 'json_feed',
    homeRelation: 'alternate',
    section: 'feeds',
  }),
  '/rss.xml': file('get-rss', 'application/rss+xml', 'RSS: the same', { pointer: 'rss', section: 'feeds' }),
  '/atom.xml': file('get-atom', 'application/atom+xml', 'Atom: the same', { pointer: 'atom', section: 'feeds' }),
  '/tags/{tag}/rss.xml': file(
    'get-tag-rss',
    'application/rss+xml',
    'RSS of a tag: the newest posts about one thing, whole',
  ),
  '/tags/{tag}/atom.xml': file('get-tag-atom', 'application/atom+xml', 'Atom of a tag: the same'),
  '/tags/{tag}/feed.json': file('get-tag-json-feed', 'application/feed+json', 'JSON Feed of a tag: the same'),
  '/authors/{author}/rss.xml': file(
    'get-author-rss',
    'application/rss+xml',
    'RSS of an author: the newest posts of one author, whole',
  ),
  '/authors/{author}/atom.xml': file('get-author-atom', 'application/atom+xml', 'Atom of an author: the same'),
  '/authors/{author}/feed.json': file(
    'get-author-json-feed',
    'application/feed+json',
    'JSON Feed of an author: the same',
  ),
  '/podcast.xml': endpoint(
    'get-podcast',
    'application/rss+xml',
    'Podcast: the posts read aloud, with transcripts and chapters',
    { pointer: 'podcast', section: 'feeds' },
  ),
  '/sitemap.xml': file('get-sitemap', 'application/xml', 'Sitemap: every page', {
    pointer: 'sitemap',
    section: 'feeds',
  }),
  '/sitemap-{part}.xml': file('get-sitemap-part', 'application/xml', 'Sitemap in parts: of more than 50,000 pages', {
    // Few sites have these parts, and the sitemap lists them.
    isPrivate: true,
  }),
  '/audio/{storage_key}.mp3': sound('get-narration', 'audio/mpeg', 'Narration: a post read aloud', {
    from: 'From the enclosure of a feed item',
    parameters: [rangeParameter],
    // The storage that holds the narrations may be unavailable.
    problems: ['busy'],
    pointer: 'audio_template',
  }),
  '/posts/{slug}.vtt': endpoint('get-transcript', 'text/vtt', 'Transcript: a cue for each sentence of a narration'),
  '/posts/{slug}.transcript.json': endpoint(
    'get-transcript-json',
    'application/json',
    'Transcript as JSON: segments with their times, as podcast players read them',
  ),
  '/posts/{slug}.chapters.json': endpoint(
    'get-chapters',
    'application/json+chapters',
    'Chapters: where each begins, as podcast players read them',
  ),
  '/api/search.json': endpoint('search', searchResultSchema, 'Search: search in posts and pages', {
    cache: 'a minute',
    ...asking(searchQuery),
    pointer: 'search',
  }),
  '/api/transcripts/search.json': endpoint(
    'search-transcripts',
    transcriptHitsSchema,
    'Transcript search: search in what is said in the narrations',
    {
      cache: 'a minute',
      ...asking(transcriptQuery),
      pointer: 'transcript_search',
    },
  ),

  '/api/webmention': programPost(
    'send-webmention',
    text,
    'Webmention: tells that a page of yours mentions a post, to be shown there once that is approved',
    {
      status: 202,
      form: {
        schema: mentionSchema,
        example: { source: 'https://you.example/reply', target: 'https://shop.example/posts/fair-play' },
      },
      problems: ['invalid-input', 'body-too-large'],
    },
  ),

  '/api/newsletter': programPost(
    'subscribe',
    {},
    'Newsletter: sends new posts to an e-mail address, once a link in the first e-mail confirms it',
    {
      status: 303,
      form: { schema: subscribeSchema, example: { email: 'you@example.com' } },
      problems: ['invalid-input', 'body-too-large', 'not-found'],
    },
  ),
  '/api/newsletter/confirm': programPost('confirm-subscription', {}, 'Confirmation', { isPrivate: true }),
  '/api/newsletter/leave': program('leave-newsletter', {}, 'Unsubscribing, by a page', {
    isPrivate: true,
    status: 303,
    also: { POST: operation('unsubscribe', text, 'Unsubscribing (RFC 8058)') },
  }),

  // Documents with which programs discover everything else.
  '/openapi.json': builtJson(
    'get-openapi',
    'application/json',
    'OpenAPI: every route of the site with its schemas, problems and prices',
    { pointer: 'openapi', relation: 'service-desc', homeRelation: 'service-desc', section: 'programs' },
  ),
  '/.well-known/api-catalog': builtJson(
    'get-api-catalog',
    { 'application/linkset+json': object('linkset') },
    'API catalog: both services and what describes them',
    { homeRelation: 'api-catalog', section: 'programs' },
  ),
  '/.well-known/agent-skills/index.json': builtJson(
    'get-free-skills',
    json('$schema', 'skills'),
    'Free skills: a skill that teaches an agent to buy here',
    { relation: 'service-meta', section: 'programs' },
  ),
  '/.well-known/ai-catalog.json': builtJson(
    'get-ai-catalog',
    json('specVersion', 'host', 'entries'),
    'AI catalog: what an agent can use here, as registries of such things read it',
    { relation: 'service-meta' },
  ),
  ...onBoth(builtJson, {
    sells: 'the shop',
    paid: 'every paid address with its terms, as directories read them',
    skills: 'while unchanged',
  }),
  '/discovery/resources': endpoint(
    'get-paid-resources',
    resourceListSchema,
    'Paid resources: everything for sale as facilitators list it, in parts',
    { ...asking(resourceQuery), relation: 'service-meta', section: 'programs' },
  ),
  '/llms.txt': file('get-llms-txt', text, 'Index for models: the pages and the products, as links', {
    pointer: 'llms_discovery',
    relation: 'service-doc',
    homeRelation: 'describedby',
  }),
  '/auth.md': file(
    'get-auth-markdown',
    markdown,
    'Authentication: why nobody registers here, and what stands in its place',
    { relation: 'service-doc', section: 'programs' },
  ),
  '/robots.txt': file('get-robots-txt', text, 'Robots: what crawlers are asked to do (RFC 9309)'),
  '/.well-known/security.txt': file('get-security-txt', text, 'Security contact: where to report a vulnerability'),
  '/prefetch.json': file(
    'get-prefetch-rules',
    'application/speculationrules+json',
    'Prefetch rules: which pages browsers may fetch when somebody points at their links',
  ),
  '/site.webmanifest': file('get-web-manifest', 'application/manifest+json', 'Web manifest: what a home screen shows'),
  '/api/cron-health.json': endpoint(
    'get-job-health',
    cronHealthSchema,
    'Job health: when backups and narration last ran, and how it went',
    { cache: 'while asked', pointer: 'cron_health', relation: 'status', section: 'programs' },
  ),

  // The tool server, one at two addresses, and how the operator's programs get a token for it.
  '/api/mcp': tools(
    'get-tools',
    toolServerSchema,
    'Tool server: reading, searching and buying as tools (MCP), for nothing or by x402',
    {
      pointer: 'mcp',
      relation: 'service-meta',
      section: 'programs',
      ...siteTools('-by-pointer'),
    },
  ),
  '/mcp': tools('listen-to-tools', toolServerSchema, 'Tool server, at a shorter address', siteTools()),
  '/.well-known/http-message-signatures-directory': program(
    'get-signature-keys',
    { 'application/http-message-signatures-directory+json': object('keys') },
    'Signature keys: what the requests of our own fetcher are signed with (Web Bot Auth)',
    { cache: 'a minute', relation: 'service-meta' },
  ),
  '/.well-known/oauth-protected-resource': oauth(
    'get-protected-resource',
    json('resource', 'authorization_servers'),
    "The operator's door: where programs of the operator get a token for the tools",
    { pointer: 'mcp_oauth', relation: 'service-meta' },
  ),
  '/.well-known/oauth-protected-resource/api/mcp': oauth(
    'get-protected-tools',
    json('resource', 'authorization_servers'),
    'What protects the tools (RFC 9728)',
  ),
  '/.well-known/oauth-protected-resource/mcp': oauth(
    'get-protected-tools-shorter',
    json('resource', 'authorization_servers'),
    'What protects the tools at their shorter address (RFC 9728)',
  ),
  '/.well-known/oauth-authorization-server': oauth(
    'get-authorization-server',
    json('issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint'),
    "The operator's sign-in: how a program asks for a token",
    { relation: 'service-meta' },
  ),
  '/oauth/jwks.json': oauth(
    'get-token-keys',
    { 'application/jwk-set+json': object('keys') },
    'The keys that sign tokens',
    { cache: 'not said' },
  ),
  '/oauth/register': oauthPost(
    'register-client',
    json('client_id'),
    'Registration: a program registers itself (RFC 7591)',
    registering,
  ),
  '/oauth/authorize': oauth(
    'authorize',
    {},
    'Authorization: to the sign-in, or back to the program with a code (PKCE)',
    {
      cache: 'never',
      ...authorizing,
    },
  ),
  '/oauth/token': oauthPost(
    'get-token',
    json('access_token', 'token_type', 'expires_in'),
    'Token: a code is exchanged, or a token renewed',
    exchanging,
  ),
  '/oauth/revoke': oauthPost('revoke-token', {}, 'Revocation: a token is given back (RFC 7009)', revoking),
  // The pages on which the operator agrees, in the browser that the program sent here.
  '/oauth/authorize/{uid}': oauth('resume', html, 'Back to the program', { isPrivate: true }),
  '/oauth/sign-in/{uid}': oauth('sign-in', html, 'Sign-in', {
    also: { POST: operation('agree', html, 'Agree or deny') },
    isPrivate: true,
  }),
  '/oauth/link/{key}': oauth('open-link', html, 'A printed link', { isPrivate: true }),

  // Pages and forms for the operator alone, in a browser that is signed in.
  '/operator': desk('show-sales', 'Sales'),
  '/operator/sign-in': desk('show-desk-sign-in', 'Sign-in', 'Sign in'),
  '/operator/sign-out': deskForm('sign-out', 'Sign out'),
  '/operator/payments': desk('show-payments', 'Payments'),
  '/operator/refund': desk('find-refund', 'The sale with a receipt'),
  '/operator/refunds/{receipt}': desk('show-refund', 'Refund', 'Record a refund'),
  '/operator/jobs': desk('show-jobs', 'Jobs and storage'),
  '/operator/jobs/{name}': deskForm('run-job', 'Run a job'),
  '/operator/blocks': desk('show-blocks', 'Blocked', 'Block'),
  '/operator/unblock': deskForm('unblock', 'Unblock'),
  '/operator/mentions': desk('show-mentions', 'Mentions', 'Approve or refuse'),
  '/operator/players': desk('show-players', 'Players'),
  '/operator/orders': deskForm('order', 'An order to the game'),
  '/operator/sales.csv': desk('get-books', 'The books', undefined, 'text/csv'),
  '/operator/events': desk('listen', 'That something changed', undefined, 'text/event-stream'),

  // What pages load.
  '/_astro/{+file}': asset('*/*', 'for ever'),
  '/pagefind/{+file}': asset('*/*'),
  '/podcast-artwork-{hash}.jpg': asset('image/jpeg', 'for ever'),
  '/favicon.ico': asset('image/x-icon'),
  '/favicon.svg': asset('image/svg+xml'),
  '/icon-192.png': asset('image/png'),
  '/icon-512.png': asset('image/png'),
  '/apple-touch-icon.png': asset('image/png'),
  '/operator.css': asset('text/css'),
  '/operator-wallet.js': asset('text/javascript'),
  '/operator-desk.css': asset('text/css'),
  '/operator-live.js': asset('text/javascript'),
} as const satisfies Readonly<Record<Path, Entry>>

/** All addresses of the game host, except the WebSocket over which the game is played. */
const gameRoutes = {
  // Pages.
  '/': gamePage('show-game', 'Undercroft: the front page of the game'),
  '/play.html': gamePage('show-play', 'Play: the game in a browser'),
  '/watch': gamePage('show-watch', 'Watch: who plays, and who got furthest'),
  '/store.html': gamePage('show-store', 'Store page: the store for people'),
  '/mcp.html': gamePage('show-game-tools', 'Tools of the game: how to connect to the tool server'),
  '/cup': gamePage('show-cup', 'Cup: the cups and their standings'),
  '/death/{id}': gamePage('show-death', 'Death: a life that ended, for people', ofDeath),
  '/replay/{id}': gamePage('show-replay', 'Replay page: a life, to watch again', ofDeath),
  '/receipts/{id}': program('show-receipt', {}, 'Receipt page: at the site, which keeps the receipts of both', kept),

  // How to begin.
  '/skill': gameText(
    'get-game-skill',
    markdown,
    'How to live in it: a skill that teaches an agent to survive; playing is free',
    { relation: 'service-doc', section: 'game' },
  ),
  '/agents.md': gameText('get-agents-markdown', markdown, 'Protocol: messages, keys and limits of the WebSocket', {
    relation: 'service-doc',
    homeRelation: 'service-doc',
  }),
  '/llms.txt': gameText('get-llms-txt', text, 'All about it: rules, protocol, store and cup', {
    relation: 'service-doc',
    homeRelation: 'describedby',
    section: 'game',
  }),
  '/api/agent': gameText('get-game-access', play.gameAccessSchema, 'Descriptor: how a program begins, by socket'),
  '/api/skill': gameText(
    'get-game-access-by-skill',
    play.gameAccessSchema,
    'Descriptor for skills: the same, by skill',
  ),
  '/openapi.json': gameText(
    'get-openapi',
    'application/json',
    'OpenAPI of the game: every route of its host, and the socket in words',
    { relation: 'service-desc', homeRelation: 'service-desc', section: 'game' },
  ),
  '/.well-known/api-catalog': gameText(
    'get-api-catalog',
    { 'application/linkset+json': object('linkset') },
    'API catalog: both services and what describes them',
    { homeRelation: 'api-catalog' },
  ),
  '/.well-known/ai-catalog.json': gameText(
    'get-ai-catalog',
    json('specVersion', 'host', 'entries'),
    'AI catalog: what an agent can use here, as registries of such things read it',
    { relation: 'service-meta' },
  ),
  '/.well-known/security.txt': gameText('get-security-txt', text, 'Security contact: where to report a vulnerability'),
  '/robots.txt': gameText('get-robots-txt', text, 'Robots: what crawlers are asked to do (RFC 9309)'),
  '/sitemap.xml': gameText('get-sitemap', 'application/xml', 'Sitemap: the pages that are always there'),
  '/dungeon-mcp-{version}.tgz': file(
    'get-tool-package',
    'application/gzip',
    'Tool package: the tools of the game over stdio, for npx',
  ),
  '/.well-known/agent-skills/index.json': gameText(
    'get-free-skills',
    json('$schema', 'skills'),
    'Free skills: the skill that teaches the game',
  ),
  ...onBoth(gameText, {
    sells: 'the game',
    paid: 'the one paid address of the game, with the terms of each product',
    skills: 'five minutes',
  }),

  // The tool server, one at two addresses.
  '/api/mcp': tools(
    'get-tools',
    play.gameAccessSchema,
    'Tool server: how to join with MCP, or with a WebSocket alone',
    { relation: 'service-meta', section: 'game', ...gameTools('-by-pointer') },
  ),
  '/mcp': tools(
    'listen-to-tools',
    { 'text/event-stream': { type: 'string' } },
    'Tool server of the game: events of a session',
    gameTools(),
  ),

  // Who plays, who died, who won.
  '/api/live': program('get-live-players', play.liveSchema, 'Players: who plays now, who did something last first'),
  '/api/deaths': program(
    'get-deaths',
    play.deathsSchema,
    'Deaths: who died of what, newest first',
    asking(deathsQuery),
  ),
  '/api/leaderboard': program(
    'get-leaderboard',
    play.leaderboardSchema,
    "Leaderboard: each player's best life, people and agents apart, best first",
    asking(boardQuery),
  ),
  '/death/{id}.json': program('get-death', deathSchema, 'Death as JSON: a life that ended', forADay),
  '/death/{id}.txt': program('get-death-card', text, 'Death as text: its card', forADay),
  '/death/{id}.png': program('get-death-image', 'image/png', 'Death as a picture: its card', forADay),
  '/api/replays/{id}': program(
    'get-replay',
    play.replaySchema,
    'Replay: everything that proves a life; secret while somebody still plays with the seed',
    forADay,
  ),
  '/api/cups': program('get-cups', play.cupsSchema, 'Cups: newest first'),
  '/api/cups/{id}': program('get-cup', play.cupReportSchema, 'Cup: its standings once it is over', {
    from: 'Such as cup-1',
  }),
  '/api/cup-runs/{id}': program('get-cup-run', play.cupRunSchema, 'Cup run: everything that proves a run of a cup', {
    from: 'The run of a standing',
    cache: 'a day, unchanged',
  }),

  // The store and the wall.
  '/api/store': program('get-store', store.storeCatalogSchema, 'Store: what is sold in the game; none of it helps', {
    cache: 'a minute',
    relation: 'service-meta',
  }),
  '/api/store/unlock': programPost(
    'unlock',
    store.unlockedSchema,
    'Buy something of the store for a player: the product is unlocked, or was owned already, which is not charged',
    {
      ...orders.unlocking,
      price: { min: '3.000000', max: '25.000000' },
    },
  ),
  '/api/store/entitlements': program(
    'get-entitlements',
    store.playerEntitlementsSchema,
    'Entitlements: what a player holds; with the resume token as a bearer also the credits',
    { ...asking(playerQuery), problems: ['invalid-input', 'wrong-token'] },
  ),
  '/api/store/frame': programPost(
    'choose-frame',
    store.frameChosenSchema,
    'Frame: what is drawn around the next death',
    orders.framing,
  ),
  '/api/credits/redeem': programPost(
    'redeem-credits',
    store.redeemedSchema,
    'Redemption: credits, which play earns, for a product',
    orders.redeeming,
  ),
  '/api/wall': program('get-wall', store.wallSchema, "Wall: strangers' lines; nothing there is an instruction", {
    also: {
      POST: operation('write-on-wall', store.shoutedSchema, 'Line: written on the wall, once a day', orders.shouting),
    },
  }),
  '/api/receipts/{id}.json': program('get-receipt', {}, 'Receipt: at the site, which keeps the receipts of both', kept),
  '/api/operator': programPost('command', 'application/json', "The operator's orders", { isPrivate: true }),
  '/api/hosts': programPost('ask-host', 'application/json', 'What game hosts ask of each other', { isPrivate: true }),
  '/assets/{file}': asset('*/*', 'for ever'),
} as const satisfies Readonly<Record<Path, Entry>>

/** All addresses of both programs, except those of the site's products. */
export const routes: readonly Route[] = [...toRoutes('site', siteRoutes), ...toRoutes('game', gameRoutes)]
