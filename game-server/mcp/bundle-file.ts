/** Version of the program that `cursor_config` starts. It is part of the URL, so that npx does not run a cached one. */
export const bundleVersion = '1.0.0'

/** The package's file name. The game host serves it itself, so that it need not be published on npm. */
export const bundleFile = `dungeon-mcp-${bundleVersion}.tgz`
