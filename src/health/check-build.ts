import type { Check } from './check.ts'

/** Whether the site serves the newest build that it was told of: one that it refused shows only in its log otherwise. */
export const makeBuildCheck = (isRefused: () => boolean): Check => ({
  name: 'build',
  everyMs: 5_000,
  async run() {
    if (!isRefused()) return { is: 'ok', sentence: 'The newest build is served.' }
    return {
      is: 'warning',
      sentence: 'The newest build was refused, so that the one before it is still served.',
      advice: 'Restart the program if code or site.config.ts changed; build.refused in the log says what is wrong.',
    }
  },
})
