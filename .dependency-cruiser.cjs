// Rules about single files. Which folder may import from which is said in src/commands/architecture/layers.ts.

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'x402-has-its-places',
      comment: 'the wire format of payments is known where payments are made, simulated or spent',
      severity: 'error',
      from: { pathNot: '^src/(payments|sandbox|buyer)/' },
      to: { path: 'node_modules/@x402/' },
    },
    {
      name: 'products-are-found',
      comment: 'a product is one folder: nothing names it, what needs products is handed them',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(site|build|commands)/' },
      to: { path: '^functions/' },
    },
    {
      name: 'offers-are-declarations',
      comment: 'an offer knows money, text and content, not how it is sold or made',
      severity: 'error',
      from: { path: '^functions/.*offers?[.]ts$' },
      to: { path: '^src/(payments|openapi|discovery|site|storage|sandbox|commands)/' },
    },
    {
      name: 'pages-are-thin',
      comment: 'pages reach money through the services they are handed',
      severity: 'error',
      from: { path: '^src/(pages|layouts|components)/' },
      to: { path: '^src/(payments|storage|sandbox|commands)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dungeon-is-alone',
      comment: 'the same world from the same commands, in every program and browser, whatever anybody bought',
      severity: 'error',
      from: { path: '^game-server/core/' },
      to: { pathNot: '^game-server/core/' },
    },
    {
      name: 'game-pages-run-in-browsers',
      severity: 'error',
      from: { path: '^game-server/pages/client/' },
      to: { pathNot: '^(game-server/(core|pages/client)|src/(browser|checkout))/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'checkout-runs-in-browsers',
      comment: 'on the pages of both programs, in few bytes',
      severity: 'error',
      from: { path: '^src/(browser|checkout)/' },
      to: { pathNot: '^src/(browser|checkout|core)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'site-stands-without-the-game',
      comment:
        'the site describes what the game is asked and answers, its protocol; only set-up, and the process that backs up the books of both, know more',
      severity: 'error',
      from: { path: '^(src|functions)/', pathNot: ['^src/(commands|build)/', '^src/backups/backup-worker\\.ts$'] },
      to: { path: '^game-server/', pathNot: '^game-server/protocol/' },
    },
    {
      name: 'product-knows-no-test',
      severity: 'error',
      from: { path: '^(src|functions|game-server)/', pathNot: '^src/commands/test\\.ts$' },
      to: { path: '^tests/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
