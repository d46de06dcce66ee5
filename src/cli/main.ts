import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './cacheFolder.ts';

/*
 * What is started as `wt`: it switches on the cache of compiled code, which Node can only use for files that are loaded afterwards, and
 * then loads the program beside it. That halves the time until the program runs; runtimes without the cache just load it.
 */
nodeModule.enableCompileCache?.(join(cacheFolder(process), 'compiled'));
nodeModule.createRequire(__filename)('./wtProgram.js');
