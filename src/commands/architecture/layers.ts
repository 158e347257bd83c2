/** A layer of folders. Its files may import from the same layer and from those below it. */
export interface Layer {
  readonly title: string
  readonly about: string
  /** Paths in the repository; `*` matches any folder at that place. */
  readonly folders: readonly string[]
}

/** The layers with every folder of both programs, from the top down. */
export const layers: readonly Layer[] = [
  {
    title: 'Commands',
    about: 'what package.json starts',
    folders: ['src/commands', 'src/dev', 'src/build'],
  },
  {
    title: 'Programs',
    about: 'put the parts together and listen',
    folders: ['src/site', 'game-server/host'],
  },
  {
    title: 'Pages',
    about: 'what answers at an address',
    folders: [
      'src/pages',
      'src/layouts',
      'src/endpoints',
      'src/operator-pages',
      'src/content.config.ts',
      'src/collections.ts',
      'src/define-collections.ts',
      'game-server/pages',
      'game-server/api',
    ],
  },
  {
    title: 'Products',
    about: 'what is sold, one folder each; pages get them as virtual:products',
    folders: ['functions/*'],
  },
  {
    title: 'Components',
    about: 'what pages are made of',
    folders: [
      'src/components',
      'src/styles',
      'src/audio-player',
      'src/try-it',
      'src/checkout',
      'src/browser',
      'src/wallet-sign-in',
      'src/web-mcp',
    ],
  },
  {
    title: 'Game',
    about: 'realms, sessions, sockets, store, cup',
    folders: [
      'game-server/cup',
      'game-server/hosts',
      'game-server/mcp',
      'game-server/moderation',
      'game-server/realms',
      'game-server/sessions',
      'game-server/sockets',
      'game-server/spectators',
      'game-server/store',
    ],
  },
  {
    title: 'Features',
    about: 'what the programs can do',
    folders: [
      'src/alternates',
      'src/backups',
      'src/buyer',
      'src/crawlers',
      'src/discovery',
      'src/email',
      'src/feeds',
      'src/health',
      'src/images',
      'src/jobs',
      'src/mcp',
      'src/mentions',
      'src/metrics',
      'src/narration',
      'src/newsletter',
      'src/oauth',
      'src/openapi',
      'src/operator',
      'src/owners',
      'src/payments',
      'src/routes',
      'src/sandbox',
      'src/search',
      'src/stats',
      'src/webhooks',
    ],
  },
  {
    title: 'Subjects',
    about: 'what is written and what is sold',
    folders: ['src/content', 'src/offers'],
  },
  {
    title: 'Ground',
    about: 'settings, files, databases, HTTP',
    folders: [
      'src/config',
      'src/fetching',
      'src/http',
      'src/providers',
      'src/storage',
      'src/tracing',
      'src/workers',
      'game-server/storage',
      'game-server/protocol',
    ],
  },
  {
    title: 'Core',
    about: 'pure, without files or network',
    folders: ['src/core', 'game-server/core'],
  },
]
