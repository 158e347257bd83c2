import { z } from 'zod'
import { dateTime, evmAddress, microUsdText } from '../core/wire-types.ts'
