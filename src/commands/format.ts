// `npm run format`: formats and mends what can be mended without thought.
import { runTool } from './run-tool.ts'

if (!(await runTool('@biomejs/biome/bin/biome', ['check', '--write', '.'], { live: true }))) process.exit(1)
