/**
 * What a publisher changes first. Addresses, wallets and secrets come from the environment (see README). Use each name
 * once: if one is there twice, the last counts, and only `npm run check` and your editor warn you.
 */
export default {
  /** Shown in the masthead, in feeds and to buyers. */
  name: 'Farthing',
  /** One sentence under the name. */
  tagline: 'A small press for people and agents',
  /** For search engines, feeds and catalogs. */
  description:
    'Essays on payments by AI agents, and a shop where people and agents buy skills and APIs for a few cents in USDC, without an account.',
  /** Byline of posts that name no author. */
  author: 'The Farthing press',
  /**
   * Who writes here: `name` as in the posts, or the one above; `about` in a sentence or two; optionally `link` and
   * `picture`, a file in `content/authors`. Each has a page and feeds; if there are several, bylines link there.
   */
  authors: [
    {
      name: 'The Farthing press',
      about: 'Makes this site: essays on payments by AI agents, and the shop where they can buy.',
    },
  ],
  /** BCP 47 tag of the language you write in. */
  language: 'en',
  /** Time zone, such as `Asia/Tokyo`, whose days posts are dated by. A date without a time of day is that day everywhere. */
  timeZone: 'UTC',
  /** Where security reports and questions go (`/.well-known/security.txt`): an address or a page of yours; if empty, the page about you. */
  contact: '',
  /** What a buyer of the writing may do with it: an SPDX identifier (`LicenseRef-…` for terms of your own) and the same in a sentence. */
  license: {
    spdx: 'CC-BY-4.0',
    sentence:
      'You may keep, share, index and adapt the posts for any purpose, if you name their author and link to the post.',
  },
  /** What robots.txt allows crawlers. Readers, and programs that read on behalf of somebody, are always allowed. */
  crawlers: {
    /** Search engines for people and models may index the site. */
    allowSearch: true,
    /** Crawlers that collect training data and data sets are asked to stay away. */
    blockTraining: true,
  },
  /** The podcast of narrated posts. */
  podcast: {
    /** One of Apple's categories, with its parent category, if any. */
    category: { name: 'Technology' },
    /** Whether the posts contain language unsuitable for children. */
    explicit: false,
    /** What listeners who want to support you are asked to do; the link goes to what is for sale. */
    funding: 'Buy something small from the press',
    /**
     * The podcast's permanent ID, by which apps recognise it when its address changes. Leave it empty until you move:
     * then put here the one that `/podcast.xml` had at the old address.
     */
    guid: '',
  },
  /** Hubs that the feeds name and that are told when a feed has changed (WebSub), such as `https://pubsubhubbub.appspot.com/`. */
  hubs: [] as readonly string[],
  /** Mentions of posts on other sites (Webmention), shown below the post. */
  webmentions: {
    /** Whether other sites may send them. */
    receives: true,
    /** Hosts, such as `friend.example`, whose mentions are shown at once; all others are approved by hand. */
    trustedHosts: [] as readonly string[],
  },
  /** New posts by e-mail. */
  newsletter: {
    /** Whether this site sends it, if a mail server is set (`SMTP_URL`). */
    isOffered: true,
    /** Or use a list provider instead: the URL that its form is sent to, and the name of its field for the e-mail address. */
    provider: { action: '', field: 'email' },
  },
  /**
   * For how many posts, newest first, a build draws the pictures; the site draws the others in the background, or when
   * they are first requested. Use `Infinity` if you serve only the files of a build.
   */
  picturesPerBuild: 24,
  /** The one accent colour, for light and for dark pages. */
  accent: { light: '#9a4f1c', dark: '#e2935a' },
} as const
