/** Version of the program that `cursor_config` starts; part of its address, so a changed program gets a new one. */
export const bundleVersion = '1.0.0'

/** Served by the game host itself, so that nothing has to be published anywhere for an agent to play. */
export const bundleFile = `dungeon-mcp-${bundleVersion}.tgz`
