// `npm run format`: formats the code and fixes what can be fixed automatically.
import { runTool } from './run-tool.ts'

if (!(await runTool('@biomejs/biome/bin/biome', ['check', '--write', '.'], { live: true }))) process.exit(1)
