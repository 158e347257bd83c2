/** One font file, under a family name of its own, with the characters it really draws (its character map). */
export interface Face {
  readonly family: string
  readonly file: string
  readonly covers: string
}

/** Fraunces and Source Serif 4, weight 600, cut by script as Fontsource publishes them (5.3); OFL 1.1. */
export const faces: readonly Face[] = [
  {
    family: 'Latin',
    file: 'fraunces-latin-600-normal.woff2',
    covers:
      '20-7e,a0-ff,131,152-153,2bc,2c6,2da,2dc,300-301,303-304,308,2013-2014,2018-201a,201c-201e,2022,2026,2032-2033,2039-203a,2044,20ac,2122,2212,2215',
  },
  {
    family: 'Latin Extended',
    file: 'fraunces-latin-ext-600-normal.woff2',
    covers:
      '100-130,132-148,14a-151,154-17e,18f,192,1a0-1a1,1af-1b0,1c4-1cc,1d9-1da,1e6-1e7,1ea-1eb,1fa-21b,22a-22d,230-233,237,259,2b9-2ba,2bc,2c7,2dd,1e08-1e09,1e0c-1e0f,1e14-1e17,1e1c-1e1d,1e20-1e21,1e24-1e25,1e2a-1e2b,1e2e-1e2f,1e36-1e37,1e3a-1e3b,1e42-1e43,1e46-1e49,1e4c-1e53,1e5a-1e5b,1e5e-1e5f,1e62-1e65,1e6c-1e6f,1e78-1e7b,1e80-1e85,1e92-1e93,1e97,1e9e,1ef2-1ef9,2020,20a1,20a3-20a4,20a6-20a7,20a9,20ad,20b1-20b2,20b5,20b9-20ba,20bc-20bd',
  },
  { family: 'Vietnamese', file: 'fraunces-vietnamese-600-normal.woff2', covers: '1ea0-1ef9,20ab' },
  {
    family: 'Cyrillic',
    file: 'source-serif-4-cyrillic-600-normal.woff2',
    covers: '400-45f,490-491,4b0-4b1,2116',
  },
  {
    family: 'Greek',
    file: 'source-serif-4-greek-600-normal.woff2',
    covers: '374-375,37e,384-38a,38c,38e-3a1,3a3-3ce,3d7,3d9,3db,3dd,3e1',
  },
]
