/**
 * What a publisher changes first. Addresses, wallets and secrets come from the environment (see README). Each name once:
 * of two in one pair of braces the last counts, and only `npm run check` and your editor say so.
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
   * Who writes here: `name` as posts give it, or the one above; `about` in a sentence or two; where wanted, `link` and
   * `picture`, a file in `content/authors`. Each has a page and feeds; when there are several, bylines lead there.
   */
  authors: [
    {
      name: 'The Farthing press',
      about: 'Makes this site: essays on payments by AI agents, and the shop where they can buy.',
    },
  ],
  /** BCP 47 tag of the language you write in. */
  language: 'en',
  /** Where security reports and questions go (`/.well-known/security.txt`): an address or a page of yours; empty stands for the page about you. */
  contact: '',
  /** What a buyer of the writing may do with it: an SPDX identifier (`LicenseRef-…` for terms of your own) and the same in a sentence. */
  license: {
    spdx: 'CC-BY-4.0',
    sentence:
      'You may keep, share, index and adapt the posts for any purpose, if you name their author and link to the post.',
  },
  /** What crawlers may do here, as robots.txt tells them. Readers, and programs that read for somebody, always may. */
  crawlers: {
    /** Search engines for people and models may index the site. */
    allowSearch: true,
    /** Crawlers that collect for training and for data sets are asked to stay away. */
    blockTraining: true,
  },
  /** The posts as a podcast, read aloud by the narrator. */
  podcast: {
    /** One of Apple's categories, with the one it stands below, if any. */
    category: { name: 'Technology' },
    /** Whether the posts use words that are not for children. */
    explicit: false,
    /** What listeners who want to support you are asked to do; the link goes to what is for sale. */
    funding: 'Buy something small from the press',
    /**
     * The podcast's permanent id, by which apps know it when its address changes. Leave it empty until you move: then
     * put here what `/podcast.xml` says at the old address.
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
    /** Whether this site sends it by itself, where a mail server is set (`SMTP_URL`). */
    isOffered: true,
    /** In its place the form of a list provider: the address that its form is sent to, and its field for the address. */
    provider: { action: '', field: 'email' },
  },
  /**
   * Pictures of how many posts, newest first, a build draws; the site draws those of the others in the background, or
   * when they are first asked for. `Infinity` where only the files of a build are served.
   */
  picturesPerBuild: 24,
  /** The one accent colour, for light and for dark pages. */
  accent: { light: '#9a4f1c', dark: '#e2935a' },
} as const
